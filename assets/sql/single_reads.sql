-- Replies with one reading call each, one after the other, that could have been one reply: at
-- most, for what one of them read may have led to the next.
WITH replies AS (
  SELECT *, row_number() OVER (PARTITION BY file, thread ORDER BY turn) AS place
  FROM calls WHERE NOT copy AND coalesce(call, 0) = 0
), stretches AS (
  SELECT *, place - row_number() OVER (PARTITION BY file, thread ORDER BY turn) AS stretch
  FROM replies WHERE single_read
), sized AS (
  SELECT *, count(*) OVER (PARTITION BY file, thread, stretch) AS size,
         row_number() OVER (PARTITION BY file, thread, stretch ORDER BY turn) AS nth
  FROM stretches
)
SELECT harness, model, task, agent,
       count(*) FILTER (size > 1 AND nth = 1) AS stretches,
       count(*) FILTER (size > 1 AND nth > 1) AS replies_at_most,
       sum(model_ns) FILTER (size > 1 AND nth > 1) AS model_ns_at_most,
       count(*) FILTER (size > 1 AND nth > 1 AND model_ns IS NULL) AS model_unknown
FROM sized
GROUP BY ALL
ORDER BY harness, model, task, agent;
