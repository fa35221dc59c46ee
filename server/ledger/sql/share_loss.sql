-- Shares a loss: each investor's invested principal bears the same part, in whole cents. The cents
-- that are left go to the largest remainders. One statement, so all of it happens or nothing.
CREATE OR REPLACE FUNCTION share_loss() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  shared bigint;
BEGIN
  -- Maturities under way end first; others wait. A statement without a parameter would keep its
  -- plan from when the tables were small.
  PERFORM FROM transactions WHERE investment_status = 'ACTIVE' AND NEW.amount > 0
  ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM (SELECT DISTINCT user_id FROM transactions WHERE investment_status = 'ACTIVE' AND NEW.amount > 0) AS owner
  JOIN accounts AS a ON a.owner_id = owner.user_id AND a.kind = 'invested' ORDER BY a.id FOR NO KEY UPDATE OF a;

  -- Windows alone: a join of these rows that is planned on empty tables compares each with all.
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
    SELECT new_id(), user_id, 'loss', share, 'COMPLETED', NEW.id, now(), now() FROM parts WHERE is_first AND share > 0
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
    SELECT new_id(), user_id, 'recovery', share, 'COMPLETED', sharing, NEW.id, now(), now() FROM shares WHERE share > 0
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
