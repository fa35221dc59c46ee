-- Adds the job that begins loans, within the transaction that confirms their coins.
CREATE OR REPLACE FUNCTION wake_sent_loans() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_regnamespace('graphile_worker') IS NOT NULL THEN
    PERFORM graphile_worker.add_job('sentLoans', queue_name => 'sentLoans', max_attempts => 1);
  END IF;
  RETURN NULL;
END $$;
