-- A node on older files shows a lower block than was read, and takes nothing back.
ALTER TABLE chains ADD COLUMN read_height bigint;
COMMENT ON COLUMN chains.read_height IS
  'The highest block that was ever read. A node below it is behind.';
UPDATE chains AS c SET read_height =
  (SELECT max(height) FROM chain_blocks AS b WHERE b.network_name = c.network_name);
