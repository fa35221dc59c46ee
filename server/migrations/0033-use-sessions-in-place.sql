-- That a session is used is written every thirty seconds. Without an index on when, and with room on its page, the row is rewritten in place and no index
-- is touched; only the nightly clean-up looked for it by that, and may read the table.
DROP INDEX sessions_last_used;
ALTER TABLE sessions SET (fillfactor = 70);
