-- True for a write-off whose loss nothing bears yet.
CREATE OR REPLACE FUNCTION is_open_loss(write_off uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM loan_write_offs WHERE id = write_off AND lost > 0)
    AND NOT EXISTS (SELECT FROM losses_borne WHERE write_off_id = write_off)
$$;

-- The announced sharing of the loss that is open now. Another loss needs another announcement.
CREATE OR REPLACE FUNCTION announced_sharing() RETURNS SETOF loss_announcements LANGUAGE sql STABLE AS $$
  SELECT a.* FROM loss_announcements AS a
  WHERE is_open_loss(a.loss_id) AND a.amount = (
    SELECT sum(w.lost) FROM loan_write_offs AS w WHERE w.lost > 0 AND NOT EXISTS (SELECT FROM losses_borne WHERE write_off_id = w.id))
  ORDER BY a.created_at LIMIT 1
$$;

-- Refuses to any writer to announce or share a loss without a proposal of two super admins about
-- that loss, and to share it before its moment.
CREATE OR REPLACE FUNCTION require_two_for_share() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM proposals AS p
    WHERE p.id = NEW.id AND p.kind = 'SHARE_LOSS' AND p.status = 'DONE' AND NOT p.alone AND p.decided_by <> p.asked_by
      AND (p.payload ->> 'amount')::numeric * 100 = NEW.amount
      AND is_open_loss((p.payload ->> 'lossId')::uuid)
      AND CASE TG_TABLE_NAME
        WHEN 'loss_announcements' THEN p.payload ->> 'lossId' = to_jsonb(NEW) ->> 'loss_id'
        ELSE EXISTS (SELECT FROM loss_announcements WHERE id = p.id AND counts_at <= now()) END) THEN
    RAISE EXCEPTION 'the sharing % of a loss takes two super admins and its notice', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- Names what bore each open write-off. Together they are what the cover or the sharing bears.
CREATE OR REPLACE FUNCTION bear_losses() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  total bigint;
BEGIN
  WITH named AS (
    INSERT INTO losses_borne (write_off_id, cover_id, sharing_id)
    SELECT w.id, CASE TG_TABLE_NAME WHEN 'loss_covers' THEN NEW.id END, CASE TG_TABLE_NAME WHEN 'loss_sharings' THEN NEW.id END
    FROM loan_write_offs AS w WHERE w.lost > 0 AND NOT EXISTS (SELECT FROM losses_borne WHERE write_off_id = w.id)
    RETURNING write_off_id
  )
  SELECT coalesce(sum(w.lost), 0) INTO total FROM named JOIN loan_write_offs AS w ON w.id = named.write_off_id;
  IF total <> NEW.amount THEN
    RAISE EXCEPTION '% bears % cents of an open loss of %', NEW.id, NEW.amount, total USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;

-- Shares a loss: each investor's invested principal bears the same part, in whole cents. The cents
-- that are left go to the largest remainders. One statement, so all of it happens or nothing.
CREATE OR REPLACE FUNCTION share_loss() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  shared bigint;
BEGIN
  -- Maturities under way end first; others wait. A statement without a parameter would keep its plan
  -- from when the tables were small.
  PERFORM FROM transactions WHERE investment_status = 'ACTIVE' AND NEW.amount > 0 ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM (SELECT DISTINCT user_id FROM transactions WHERE investment_status = 'ACTIVE' AND NEW.amount > 0) AS owner
  JOIN accounts AS a ON a.owner_id = owner.user_id AND a.kind = 'invested' ORDER BY a.id FOR NO KEY UPDATE OF a;

  -- Windows alone: a join of these rows that is planned on empty tables would compare each with all.
  WITH works AS (
    SELECT id, user_id, cents, own, div(NEW.amount * own, of_all) AS least, mod(NEW.amount * own, of_all) AS rest,
      row_number() OVER (PARTITION BY user_id ORDER BY id) = 1 AS is_first
    FROM (
      SELECT id, user_id, (amount - borne)::numeric AS cents, sum(amount - borne) OVER (PARTITION BY user_id) AS own, sum(amount - borne) OVER () AS of_all
      FROM transactions WHERE investment_status = 'ACTIVE' AND amount > borne
    ) AS active
  ), shares AS (
    SELECT id, user_id, is_first, cents, own,
      least + CASE WHEN dense_rank() OVER (ORDER BY rest DESC, user_id) <= NEW.amount - sum(least) FILTER (WHERE is_first) OVER () THEN 1 ELSE 0 END AS share
    FROM works
  ), parts AS MATERIALIZED (
    SELECT id, user_id, is_first, share::bigint,
      (least + CASE WHEN row_number() OVER (PARTITION BY user_id ORDER BY rest DESC, id) <= share - sum(least) OVER (PARTITION BY user_id) THEN 1 ELSE 0 END)::bigint AS part
    FROM (SELECT *, div(share * cents, own) AS least, mod(share * cents, own) AS rest FROM shares) AS each
  ), borne AS (
    UPDATE transactions AS t SET borne = t.borne + part FROM parts WHERE t.id = parts.id AND part > 0
  ), told AS (
    INSERT INTO transactions (id, user_id, type, amount, status, sharing_id, created_at, updated_at)
    SELECT uuidv7(), user_id, 'loss', share, 'COMPLETED', NEW.id, now(), now() FROM parts WHERE is_first AND share > 0
    RETURNING id, user_id, amount
  ), moved AS (
    INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount)
    SELECT told.id, 'loss_shared', own.id, loss.id, told.amount
    FROM told JOIN accounts AS own ON own.owner_id = told.user_id AND own.kind = 'invested'
    JOIN accounts AS loss ON loss.owner_id = '00000000-0000-0000-0000-000000000000' AND loss.kind = 'loss'
    RETURNING amount
  )
  SELECT sum(amount) INTO shared FROM moved;
  IF shared IS DISTINCT FROM NEW.amount THEN
    RAISE EXCEPTION 'the sharing % took % of % cents', NEW.id, shared, NEW.amount USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;

-- Cents of a shared loss that each investor with an open account bore and did not get back.
CREATE OR REPLACE FUNCTION bearers_of(sharing uuid) RETURNS TABLE (user_id uuid, cents bigint) LANGUAGE sql STABLE AS $$
  SELECT l.user_id, (l.amount - coalesce((
    SELECT sum(r.amount) FROM transactions AS r WHERE r.type = 'recovery' AND r.sharing_id = l.sharing_id AND r.user_id = l.user_id), 0))::bigint
  FROM transactions AS l JOIN users AS u ON u.id = l.user_id
  WHERE l.type = 'loss' AND l.sharing_id = sharing AND u.closed_at IS NULL
$$;

-- Gives back what was recovered of a shared loss, in proportion to what each bore and did not get
-- back. The cents that are left go to the largest remainders.
CREATE OR REPLACE FUNCTION return_loss() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  sharing  CONSTANT uuid := (
    SELECT b.sharing_id FROM loan_write_offs AS w JOIN losses_borne AS b ON b.write_off_id = w.id WHERE w.loan_id = NEW.loan_id);
  wanted   CONSTANT bigint := NEW.recovered - NEW.kept;
  returned bigint;
BEGIN
  PERFORM FROM (SELECT DISTINCT user_id FROM bearers_of(sharing)) AS owner
  JOIN accounts AS a ON a.owner_id = owner.user_id AND a.kind = 'available' ORDER BY a.id FOR NO KEY UPDATE OF a;

  WITH owners AS MATERIALIZED (
    SELECT user_id, cents, sum(cents) OVER () AS of_all FROM bearers_of(sharing) WHERE cents > 0
  ), shares AS MATERIALIZED (
    SELECT user_id, least + CASE WHEN row_number() OVER (ORDER BY rest DESC, user_id) <= wanted - sum(least) OVER () THEN 1 ELSE 0 END AS share
    FROM (SELECT user_id, div(wanted * cents::numeric, of_all) AS least, mod(wanted * cents::numeric, of_all) AS rest FROM owners) AS parts
  ), told AS (
    INSERT INTO transactions (id, user_id, type, amount, status, sharing_id, repayment_id, created_at, updated_at)
    SELECT uuidv7(), user_id, 'recovery', share, 'COMPLETED', sharing, NEW.id, now(), now() FROM shares WHERE share > 0
    RETURNING id, user_id, amount
  ), moved AS (
    INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount)
    SELECT told.id, 'loss_returned', custody.id, own.id, told.amount
    FROM told JOIN accounts AS own ON own.owner_id = told.user_id AND own.kind = 'available'
    JOIN accounts AS custody ON custody.owner_id = '00000000-0000-0000-0000-000000000000' AND custody.kind = 'custody'
    RETURNING amount
  )
  SELECT sum(amount) INTO returned FROM moved;
  IF returned IS DISTINCT FROM wanted THEN
    RAISE EXCEPTION 'of the recovery % went % of % cents to those who bore the loss', NEW.id, returned, wanted USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
