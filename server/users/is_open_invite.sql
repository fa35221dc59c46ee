-- True for the link of an invite that still works, while those who asked and approved are super
-- admins.
CREATE OR REPLACE FUNCTION is_open_invite(invite invites) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT invite.ended_at IS NULL AND invite.expires_at > now()
    AND EXISTS (SELECT FROM proposals AS p WHERE p.id = invite.id AND p.status = 'DONE' AND is_backed(p))
$$;
