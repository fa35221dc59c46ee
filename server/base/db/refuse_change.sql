-- Refuses the statement that fires its trigger. Of a partition, it names the whole table.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is not allowed', TG_OP, coalesce(pg_partition_root(TG_RELID)::text, TG_TABLE_NAME) USING ERRCODE = 'restrict_violation';
END $$;
