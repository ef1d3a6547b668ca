-- How often models ask for several calls in one reply.
-- Of the rows of a reply the one of its first call, or its only one, stands for the reply.
WITH replies AS (SELECT * FROM calls WHERE NOT copy AND coalesce(call, 0) = 0)
SELECT harness, model, task, agent,
       count(DISTINCT file) AS files,
       count(*) AS replies,
       count(*) FILTER (turn_calls > 0) AS with_calls,
       count(*) FILTER (turn_calls > 1) AS with_several,
       sum(turn_calls) AS calls,
       quantile_disc(turn_calls, 0.50) FILTER (turn_calls > 0) AS p50,
       quantile_disc(turn_calls, 0.90) FILTER (turn_calls > 0) AS p90,
       quantile_disc(turn_calls, 0.99) FILTER (turn_calls > 0) AS p99,
       coalesce(max(turn_calls), 0) AS max
FROM replies
GROUP BY ALL
ORDER BY replies DESC, harness, model, task, agent;
