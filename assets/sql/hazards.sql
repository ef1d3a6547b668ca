-- Pairs of calls of one reply that would race if everything started at once, by kind, and those
-- that raced as recorded where the times can show it.
WITH replies AS (SELECT * FROM calls WHERE NOT copy AND coalesce(call, 0) = 0)
SELECT harness, model, task, agent,
       sum(lost_updates) AS lost_update,
       sum(stale_reads) AS stale_read,
       sum(early_writes) AS early_write,
       sum(unknown_orders) AS unknown_order,
       sum(recorded_hazards) AS recorded,
       count(*) FILTER (turn_calls > 1 AND recorded_hazards IS NULL) AS recorded_unknown_replies
FROM replies
GROUP BY ALL
ORDER BY harness, model, task, agent;
