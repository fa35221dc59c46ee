CREATE TABLE mails (
  id              uuid PRIMARY KEY,
  user_id         uuid NOT NULL REFERENCES users,
  template        text NOT NULL,
  parameters      jsonb NOT NULL,
  language        text NOT NULL CHECK (language IN ('en', 'es')),
  recipient       text NOT NULL,
  status          text NOT NULL CHECK (status IN ('WAITING', 'SENT', 'KEPT', 'DEAD')),
  attempts        integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE mails IS
  'The outbox. A mail is written in the transaction of its cause, and sent by a job.';
COMMENT ON COLUMN mails.parameters IS
  'Values for the template, without secrets: a link is derived when the mail is sent.';
COMMENT ON COLUMN mails.status IS
  'WAITING to be sent; SENT; KEPT by a sandbox without SMTP; DEAD: refused, or given up.';
COMMENT ON COLUMN mails.attempts IS 'Also names the lease of a sender: a later attempt ends it.';
COMMENT ON COLUMN mails.next_attempt_at IS 'The next attempt, or the end of the lease of a sender.';
COMMENT ON COLUMN mails.expires_at IS 'The end of the link in it. A later mail would be of no use.';

CREATE INDEX mails_to_send ON mails (next_attempt_at) WHERE status = 'WAITING';
CREATE INDEX mails_dead ON mails (created_at) WHERE status = 'DEAD';
CREATE INDEX mails_by_age ON mails (created_at, id);

CREATE TABLE mail_deliveries (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mail_id      uuid NOT NULL REFERENCES mails ON DELETE CASCADE,
  attempted_at timestamptz NOT NULL DEFAULT now(),
  outcome      text NOT NULL CHECK (outcome IN ('accepted', 'deferred', 'refused')),
  answer       text NOT NULL
);
COMMENT ON TABLE mail_deliveries IS 'The delivery log: every attempt to send a mail.';
COMMENT ON COLUMN mail_deliveries.answer IS 'The words of the mail server, or the fault.';

CREATE INDEX mail_deliveries_by_mail ON mail_deliveries (mail_id, id);
