/** The rows behind each line of the day of staff, for its page and its mail. */
import { buckets } from '../lending/arrears.ts'

const LATE = buckets.filter((bucket) => bucket !== 'current').join()

/** The paths of the lines, by the first day (`2026-01-31`, UTC). */
export const todayPaths = (day: string) => {
  const audited = (action: string) => `/admin/audit?audit-action=${action}&audit-from=${day}`
  const investments = (filter: string) => `/admin?tab=investments&investments-${filter}#records`
  return {
    late: `/admin?tab=loans&loans-bucket=${LATE}#records`,
    breaks: '/admin/reconciliation',
    alarms: '/admin/networks',
    paused: '/admin/audit?audit-action=switch.paused',
    moneyIn: audited('deposit.confirmed'),
    moneyOut: audited('withdrawal.approved'),
    invested: investments(`from=${day}`),
    matured: investments('status=COMPLETED'),
    decided: (username: string) => `/admin/audit?audit-search=${encodeURIComponent(username)}`,
  } as const
}
