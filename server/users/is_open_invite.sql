-- True for an approved invite whose link still works, while those who asked and approved are super
-- admins.
CREATE OR REPLACE FUNCTION is_open_invite(invite invites) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT invite.ended_at IS NULL AND invite.expires_at > now() AND EXISTS (
    SELECT FROM access_changes AS c WHERE c.id = invite.id AND c.status = 'DONE'
      AND acts_as_super_admin(c.asked_by) AND (c.decided_by IS NULL OR acts_as_super_admin(c.decided_by)))
$$;
