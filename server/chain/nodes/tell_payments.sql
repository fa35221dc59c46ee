-- Notifies the investors of these addresses, and staff. The index of wallets is by lower case.
CREATE OR REPLACE FUNCTION tell_payments(addresses text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF addresses <> '{}' THEN
    PERFORM tell_changes(ARRAY(
      SELECT '[null,"payment"]'
      UNION ALL
      SELECT DISTINCT format('["%s","payment"]', owner_id) FROM wallets
      WHERE lower(address) = ANY (ARRAY(SELECT lower(paid) FROM unnest(addresses) AS paid))
        AND address = ANY (addresses) AND owner_id IS NOT NULL));
  END IF;
END $$;
