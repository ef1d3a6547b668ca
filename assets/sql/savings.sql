-- What safe policies would save, predicted, over the replies that can be estimated.
WITH replies AS (
  SELECT * FROM calls WHERE NOT copy AND coalesce(call, 0) = 0 AND turn_calls > 0
)
SELECT harness, model, task, agent,
       sum(sequential_ns) AS sequential_ns,
       sum(saved_staged_ns) AS staged_ns,
       sum(saved_keyed_ns) AS keyed_ns,
       sum(saved_graph_ns) AS graph_ns,
       sum(saved_most_ns) AS most_ns,
       -- A share is known only where the model's time before every estimated reply is.
       CASE WHEN count(*) FILTER (sequential_ns IS NOT NULL AND model_ns IS NULL) = 0
            THEN sum(saved_most_ns)
                 / (sum(sequential_ns) + sum(model_ns) FILTER (sequential_ns IS NOT NULL))
       END AS most_share,
       count(*) FILTER (sequential_ns IS NULL) AS replies_left_out,
       -- The weakest timing decides what the figures are: bound makes them upper bounds.
       CASE max(CASE saved_timing WHEN 'measured' THEN 0 WHEN 'events' THEN 1 WHEN 'given' THEN 2
                                  WHEN 'bound' THEN 3 END) FILTER (sequential_ns IS NOT NULL)
            WHEN 0 THEN 'measured' WHEN 1 THEN 'events' WHEN 2 THEN 'given' WHEN 3 THEN 'bound'
            ELSE 'unknown' END AS timing
FROM replies
GROUP BY ALL
ORDER BY harness, model, task, agent;
