//! From a declaration and a call's arguments to the keys that the call touches.
