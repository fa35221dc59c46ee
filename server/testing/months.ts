import type { Database } from '../base/db/connection.ts'
import { tamper } from './tamper.ts'

/** Divides movements into months, as in a pool whose first month is this one, `YYYY-MM`. */
export const beginWith = async (
  { owner }: Pick<Database, 'owner'>,
  month: string,
): Promise<void> => {
  await owner.query(`
    DO $$ DECLARE
      bound CONSTANT uuid := first_id((date '${month}-01' + interval '1 month')::date);
      name  text;
    BEGIN
      FOR name IN SELECT m.name FROM movement_months AS m ORDER BY m.name DESC LOOP
        EXECUTE format('ALTER TABLE movements DETACH PARTITION %I', name);
        CONTINUE WHEN name = 'movements_later';
        EXECUTE format('WITH moved AS (DELETE FROM %I RETURNING *) INSERT INTO movements_later SELECT * FROM moved', name);
        IF name <> 'movements_begin' THEN EXECUTE format('DROP TABLE %I', name); END IF;
      END LOOP;
      EXECUTE format('ALTER TABLE movements ATTACH PARTITION movements_begin FOR VALUES FROM (MINVALUE) TO (%L)', bound);
      EXECUTE format('ALTER TABLE movements ATTACH PARTITION movements_later FOR VALUES FROM (%L) TO (MAXVALUE)', bound);
      WHILE make_months() > 0 LOOP END LOOP;
    END $$`)
}

/** Lets all movements so far happen this many days ago. */
export const age = (database: Parameters<typeof tamper>[0], days: number): Promise<void> =>
  tamper(database, `UPDATE movements SET created_at = now() - interval '${days} days'`)
