-- A new UUID version 7, as `newId` of the server makes. PostgreSQL 15 to 17 have none of their own.
-- A random one gives 74 bits. Milliseconds take its first 48, and two bits turn its 4 into a 7.
CREATE OR REPLACE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send(floor(extract(epoch FROM now()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$$;
