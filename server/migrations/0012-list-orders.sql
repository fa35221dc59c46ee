-- An index for every order in which a list can be read, so that a page costs the same in a table of any size.

CREATE INDEX transactions_by_change ON transactions (updated_at, id);
CREATE INDEX transactions_by_amount ON transactions (amount, id);
CREATE INDEX transactions_by_destination ON transactions (lower(destination_address)) WHERE type = 'withdrawal';

CREATE INDEX investments_by_maturity ON investments (matures_at, id);
CREATE INDEX investments_by_principal ON investments (principal, id);
CREATE INDEX investments_by_interest ON investments (interest, id);

CREATE INDEX users_by_age ON users (created_at, id);
CREATE INDEX users_by_name ON users (lower((first_name || ' ' || last_name) COLLATE "und-x-icu"), id);
CREATE INDEX user_roles_by_role ON user_roles (role, user_id);

CREATE INDEX wallets_by_age ON wallets (created_at, id);
