-- True for the link of an invite that still works, while those who asked and approved are super
-- admins.
CREATE OR REPLACE FUNCTION is_open_invite(link links) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT link.kind = 'INVITE' AND link.ended_at IS NULL AND link.expires_at > now()
    AND EXISTS (SELECT FROM proposals AS p WHERE p.id = link.id AND p.status = 'DONE' AND is_backed(p))
$$;
