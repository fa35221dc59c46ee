-- Roles and database of the product, once on the primary. May run again: it sets the passwords.
SELECT format('CREATE ROLE %I LOGIN', name) FROM (VALUES ('pool_owner'), ('pool_app')) AS wanted (name)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE pool_owner PASSWORD :'owner_password';
ALTER ROLE pool_app PASSWORD :'app_password';
SELECT 'CREATE DATABASE pool OWNER pool_owner'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'pool') \gexec
REVOKE ALL ON DATABASE pool FROM PUBLIC;
GRANT CONNECT ON DATABASE pool TO pool_app;
-- The settings of the pooler's sessions, in which the product cannot set its own.
ALTER ROLE pool_app IN DATABASE pool SET statement_timeout = '60s';
ALTER ROLE pool_app IN DATABASE pool SET jit = off;
