-- The mix of tools, with the run time that is known.
SELECT harness, model, task, agent, tool,
       count(*) AS calls,
       count(run_ns) AS timed,
       sum(run_ns) AS work_ns
FROM calls
WHERE NOT copy AND call IS NOT NULL
GROUP BY ALL
ORDER BY harness, model, task, agent, calls DESC, tool;
