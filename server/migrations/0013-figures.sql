-- What daily figures and the pool's figures sum up is read from indexes alone.

CREATE INDEX transactions_approved ON transactions (updated_at) INCLUDE (type, amount) WHERE status = 'APPROVED';
CREATE INDEX investments_completed ON investments (updated_at) INCLUDE (principal) WHERE status = 'COMPLETED';

DROP INDEX investments_maturing;
CREATE INDEX investments_maturing ON investments (matures_at, id) INCLUDE (principal, interest) WHERE status = 'ACTIVE';
