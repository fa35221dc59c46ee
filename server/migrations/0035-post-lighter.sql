-- post_operations as before, doing less: an account is looked up once, what only some groups need is left to those, and whether owners exist is asked for
-- all new rows at once.

-- Users and investments are never deleted and keep their ids, so whether a new row's owner exists holds for good once it was found. A foreign key
-- would look for it, and lock it, row by row.
CREATE TRIGGER users_are_kept BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER users_are_not_truncated BEFORE TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER users_keep_their_ids BEFORE UPDATE ON users FOR EACH ROW WHEN (NEW.id <> OLD.id) EXECUTE FUNCTION refuse_change();

-- Each is looked up by its id in a query of its own: of a join, a plan that was made while the tables were empty reads all of them, and is kept while they grow.
CREATE FUNCTION require_owner() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM come WHERE (SELECT id FROM users WHERE id = come.user_id) IS NULL) THEN
    RAISE EXCEPTION '% names a user that does not exist', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION require_investment() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (
    SELECT FROM come WHERE investment_id IS NOT NULL
      AND (SELECT user_id FROM investments WHERE id = come.investment_id) IS DISTINCT FROM come.user_id
  ) THEN
    RAISE EXCEPTION '% names an investment that its owner does not have', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER investments_have_owners AFTER INSERT ON investments REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_owner();
CREATE TRIGGER transactions_have_owners AFTER INSERT ON transactions REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_owner();
CREATE TRIGGER transactions_have_investments AFTER INSERT ON transactions REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION require_investment();
CREATE TRIGGER transactions_keep_their_investments BEFORE UPDATE ON transactions
  FOR EACH ROW WHEN (NEW.investment_id IS DISTINCT FROM OLD.investment_id) EXECUTE FUNCTION refuse_change();

ALTER TABLE investments DROP CONSTRAINT investments_user_id_fkey;
ALTER TABLE transactions DROP CONSTRAINT transactions_user_id_fkey, DROP CONSTRAINT transactions_investment_id_fkey;

-- Locks every guarded account that a fresh operation names, in the order of the accounts' ids, and answers what it holds; also of the pool's accounts that
-- have no balance to guard, which nothing has to lock.
DROP FUNCTION lock_accounts(operation[], boolean[]);
CREATE FUNCTION lock_accounts(operations operation[], fresh boolean[],
  OUT ids bigint[], OUT owners uuid[], OUT kinds text[], OUT balances bigint[]) LANGUAGE plpgsql AS $$
BEGIN
  SELECT array_agg(id), array_agg(owner_id), array_agg(kind), array_agg(balance) INTO ids, owners, kinds, balances FROM (
    SELECT * FROM (
      SELECT a.id, a.owner_id, a.kind, a.balance
      FROM (
        SELECT DISTINCT account_owner(o.owner_id, side.kind) AS owner_id, side.kind
        FROM unnest(operations) WITH ORDINALITY AS o
        CROSS JOIN LATERAL (
          SELECT from_kind FROM unnest(o.legs) UNION ALL SELECT to_kind FROM unnest(o.legs) UNION ALL SELECT 'available' WHERE (o.transaction).takes_wallet
        ) AS side (kind)
        WHERE fresh[o.ordinality]
      ) AS named
      JOIN accounts AS a USING (owner_id, kind)
      WHERE a.balance IS NOT NULL
      ORDER BY a.id FOR NO KEY UPDATE OF a
    ) AS guarded
    UNION ALL
    SELECT id, owner_id, kind, balance FROM accounts WHERE owner_id = '00000000-0000-0000-0000-000000000000' AND balance IS NULL
  ) AS known;
END $$;

CREATE OR REPLACE FUNCTION write_operations(operations operation[], accepted boolean[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  decides boolean := EXISTS (SELECT FROM unnest(operations) WHERE (decision).transaction_id IS NOT NULL);
  completed uuid[] := ARRAY(SELECT completes FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND completes IS NOT NULL);
  contributes boolean := EXISTS (SELECT FROM unnest(operations) WHERE (contribution).id IS NOT NULL);
  invests boolean := EXISTS (SELECT FROM unnest(operations) WHERE (investment).id IS NOT NULL);
BEGIN
  IF contributes THEN PERFORM write_contributions(operations, accepted); END IF;

  IF invests THEN
    INSERT INTO investments (id, user_id, principal, rate_basis_points, interest, duration_days, status, matures_at, created_at, updated_at)
    SELECT (investment).id, owner_id, (investment).principal, (investment).rate_basis_points, (investment).interest,
      (investment).duration_days, 'ACTIVE', now() + make_interval(secs => (investment).duration_seconds), now(), now()
    FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (investment).id IS NOT NULL;
  END IF;

  IF completed <> '{}' THEN UPDATE investments SET status = 'COMPLETED', updated_at = now() WHERE id = ANY (completed); END IF;

  INSERT INTO transactions (id, user_id, type, amount, status, description, destination_address, destination_network, investment_id, wallet_id,
    approvals_needed, created_at, updated_at)
  SELECT (transaction).id, o.owner_id, (transaction).type, (transaction).amount, (transaction).status, (transaction).description,
    (transaction).destination_address, coalesce((transaction).destination_network, ''), (transaction).investment_id,
    CASE WHEN (transaction).takes_wallet THEN (SELECT id FROM wallets WHERE wallets.owner_id = o.owner_id) END,
    coalesce((transaction).approvals_needed, 1), now(), now()
  FROM unnest(operations) WITH ORDINALITY AS o
  WHERE accepted[o.ordinality] AND (transaction).id IS NOT NULL;

  IF decides THEN PERFORM write_decisions(operations, accepted); END IF;
END $$;
