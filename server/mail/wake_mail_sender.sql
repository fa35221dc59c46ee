-- Adds the job that sends mails, within the same transaction. One at a time runs over all nodes.
CREATE OR REPLACE FUNCTION wake_mail_sender() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_regnamespace('graphile_worker') IS NOT NULL THEN
    PERFORM graphile_worker.add_job('mails', queue_name => 'mails', max_attempts => 1);
  END IF;
  RETURN NULL;
END $$;
