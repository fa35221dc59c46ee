ALTER TABLE switches RENAME TO pauses;
-- PostgreSQL 18 also has a named constraint for each NOT NULL.
DO $$ DECLARE found text; BEGIN
  FOR found IN SELECT conname FROM pg_constraint WHERE conrelid = 'pauses'::regclass LOOP
    EXECUTE format('ALTER TABLE pauses RENAME CONSTRAINT %I TO %I', found, replace(found, 'switches', 'pauses'));
  END LOOP;
END $$;
