-- Gives each investor without a wallet the oldest available one, in the order of asking, and
-- returns wallets by user id. Wallets that another process is assigning are passed over.
CREATE OR REPLACE FUNCTION assign_wallets(operations operation[], fresh boolean[])
  RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  askers uuid[] := ARRAY(
    SELECT owner_id FROM unnest(operations) WITH ORDINALITY WHERE fresh[ordinality] AND (transaction).takes_wallet
    GROUP BY owner_id ORDER BY min(ordinality));
  needy  uuid[] := ARRAY(
    SELECT asker FROM unnest(askers) WITH ORDINALITY AS a (asker, at)
    WHERE NOT EXISTS (SELECT FROM wallets WHERE owner_id = asker) ORDER BY at);
BEGIN
  WITH free AS (
    SELECT id FROM wallets WHERE owner_id IS NULL ORDER BY created_at, id LIMIT cardinality(needy) FOR UPDATE SKIP LOCKED
  ), matched AS (
    SELECT id, needy[row_number() OVER ()] AS user_id FROM free
  )
  UPDATE wallets SET owner_id = matched.user_id, updated_at = now() FROM matched WHERE wallets.id = matched.id;

  RETURN (
    SELECT jsonb_object_agg(owner_id, jsonb_build_object('address', address, 'networkName', network_name))
    FROM wallets WHERE owner_id = ANY (askers));
END $$;
