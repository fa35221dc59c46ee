-- Adds the job that sends mails, within the same transaction. One at a time runs over all nodes.
CREATE OR REPLACE FUNCTION wake_mail_sender() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_regnamespace('graphile_worker') IS NOT NULL THEN
    PERFORM graphile_worker.add_job('mails', queue_name => 'mails', max_attempts => 1);
  END IF;
  RETURN NULL;
END $$;
-- A mail that staff send again.
CREATE OR REPLACE TRIGGER mails_wake_the_sender_again AFTER UPDATE OF status ON mails
  FOR EACH ROW WHEN (NEW.status = 'WAITING' AND OLD.status <> 'WAITING')
  EXECUTE FUNCTION wake_mail_sender();
