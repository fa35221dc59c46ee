import { useConnection } from '../connection.ts'
import { common } from '../i18n/common.ts'
import { timeOfDay } from '../i18n/format.ts'
import classes from './AsOf.module.css'

/** The time of a figure while the connection is lost. `at` is in milliseconds. */
export const AsOf = ({ at }: { at: number }) =>
  useConnection().state !== 'there' &&
  at > 0 && <p className={classes.asOf}>{common('asOf', { time: timeOfDay(new Date(at)) })}</p>
