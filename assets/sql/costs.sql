-- What failures cost: siblings cancelled, and how many of them were asked for again.
SELECT harness, model, task, agent,
       count(*) FILTER (failed) AS failed,
       count(*) FILTER (outcome = 'cancelled') AS cancelled_siblings,
       count(*) FILTER (asked_again) AS asked_again
FROM calls
WHERE NOT copy
GROUP BY ALL
ORDER BY harness, model, task, agent;
