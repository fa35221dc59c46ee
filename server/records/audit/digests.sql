-- Digest of a factor, for the entry that adds it. It leaves out what changes in use.
CREATE OR REPLACE FUNCTION factor_digest(factor factors) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT left(encode(sha256(convert_to(concat_ws(' ', factor.id, factor.user_id, factor.kind, factor.key_id,
    encode(factor.credential_id, 'hex'), encode(factor.public_key, 'hex')), 'UTF8')), 'hex'), 32)
$$;
-- The same for all recovery codes of a user, used ones too. NULL without any.
CREATE OR REPLACE FUNCTION codes_digest(owner uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT left(encode(sha256(string_agg(digest, ''::bytea ORDER BY digest)), 'hex'), 32) FROM recovery_codes WHERE user_id = owner
$$;
