-- Where the wall time went. Null is unknown, never zero: a sum over nothing stays null.
-- A sub-agent runs inside a call of its parent: never add its row to another.
WITH replies AS (SELECT * FROM calls WHERE NOT copy AND coalesce(call, 0) = 0)
SELECT harness, model, task, agent,
       sum(part_model_ns) AS model_ns,
       sum(part_tools_ns) AS tools_ns,
       sum(part_waiting_ns) AS waiting_ns,
       sum(part_you_ns) AS you_ns,
       sum(part_unattributed_ns) AS unattributed_ns,
       count(*) FILTER (model_unknown) AS model_unknown_replies,
       count(*) FILTER (tools_unknown) AS tools_unknown_replies
FROM replies
GROUP BY ALL
ORDER BY harness, model, task, agent;
