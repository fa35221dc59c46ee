-- The announced sharing of the loss that is open now. Another loss needs another announcement.
CREATE OR REPLACE FUNCTION announced_sharing() RETURNS SETOF loss_announcements LANGUAGE sql STABLE AS $$
  SELECT a.* FROM loss_announcements AS a
  WHERE a.loss_id IN (SELECT id FROM open_losses()) AND a.amount = open_loss()
  ORDER BY a.created_at LIMIT 1
$$;

-- Refuses to any writer to share a loss before the moment that two people announced.
CREATE OR REPLACE FUNCTION require_announcement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM loss_announcements WHERE (id, amount) = (NEW.id, NEW.amount) AND counts_at <= now()) THEN
    RAISE EXCEPTION 'the sharing % of a loss takes two super admins and its notice', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- Names what bore each open write-off. Together they are what the cover or the sharing bears, and
-- the agreement named one of them.
CREATE OR REPLACE FUNCTION bear_losses() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  total bigint;
BEGIN
  WITH named AS (
    INSERT INTO losses_borne (write_off_id, cover_id, sharing_id)
    SELECT id, CASE TG_TABLE_NAME WHEN 'loss_covers' THEN NEW.id END, CASE TG_TABLE_NAME WHEN 'loss_sharings' THEN NEW.id END
    FROM open_losses()
    RETURNING write_off_id
  )
  SELECT coalesce(sum(w.lost), 0) INTO total FROM named JOIN loan_write_offs AS w ON w.id = named.write_off_id;
  IF total <> NEW.amount OR NOT EXISTS (
    SELECT FROM losses_borne AS b JOIN proposals AS p ON p.payload ->> 'lossId' = b.write_off_id::text
    WHERE p.id = NEW.id AND NEW.id IN (b.cover_id, b.sharing_id)) THEN
    RAISE EXCEPTION '% bears % cents of an open loss of %', NEW.id, NEW.amount, total USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
