import { typesWith } from '@pool/contract/requests/transactions'
import { Link } from 'react-router'
import { type ShownPerson, transactionsOf } from '../../../api/accounts/people.ts'
import { useListTotal } from '../../../api/http/lists.ts'
import { t } from '../../../i18n/people.ts'
import { Money } from '../../../ui/Money.tsx'
import classes from './Person.module.css'
import { TRANSACTIONS } from './tables.tsx'

const OPEN = { status: 'PENDING', type: typesWith({ decidedBy: 'staff' }).join(',') }

/** The balances of a person, and the number of their open requests. */
export const Balances = ({ person }: { person: ShownPerson }) => {
  const { data: open } = useListTotal(transactionsOf(person.id), OPEN)
  const link = new URLSearchParams(
    Object.entries(OPEN).map(([name, value]) => [`${TRANSACTIONS}-${name}`, value]),
  )
  return (
    <dl className={classes.balances} aria-label={t('balances')}>
      {(['available', 'held', 'invested'] as const).map((kind) => (
        <div key={kind}>
          <dt>{t(kind)}</dt>
          <dd>
            <Money dollars={person[kind]} />
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('open')}</dt>
        <dd>
          {open ? (
            <Link to={{ search: `?${link}`, hash: TRANSACTIONS }} title={t('open.show')}>
              {open}
            </Link>
          ) : (
            (open ?? '–')
          )}
        </dd>
      </div>
    </dl>
  )
}
