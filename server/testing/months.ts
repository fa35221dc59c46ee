import type { Database } from '../db/connection.ts'
import type { TestDatabase } from './database.ts'
import { tamper } from './tamper.ts'

/** Divides movements into months, as in a pool whose first month is this one, `YYYY-MM`. */
export const beginWith = async (
  { owner }: Pick<Database, 'owner'>,
  month: string,
): Promise<void> => {
  await owner.query(`
    ALTER TABLE movements DETACH PARTITION movements_begin;
    ALTER TABLE movements DETACH PARTITION movements_later;
    WITH moved AS (DELETE FROM movements_begin RETURNING *) INSERT INTO movements_later SELECT * FROM moved;
    DO $$ DECLARE bound uuid := first_id((date '${month}-01' + interval '1 month')::date); BEGIN
      EXECUTE format('ALTER TABLE movements ATTACH PARTITION movements_begin FOR VALUES FROM (MINVALUE) TO (%L)', bound);
      EXECUTE format('ALTER TABLE movements ATTACH PARTITION movements_later FOR VALUES FROM (%L) TO (MAXVALUE)', bound);
      WHILE make_months() > 0 LOOP END LOOP;
    END $$`)
}

/** Lets all movements so far happen this many days ago. */
export const age = (database: TestDatabase, days: number): Promise<void> =>
  tamper(database, `UPDATE movements SET created_at = now() - interval '${days} days'`)
