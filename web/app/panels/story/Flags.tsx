import { IconFlag } from '@tabler/icons-react'
import { useId } from 'react'
import type { TransactionRow } from '../../api/requests/transactions.ts'
import { t } from '../../i18n/story.ts'
import classes from './Flags.module.css'

/** Sentences about a request for staff to check before they decide. Empty without flags. */
export const Flags = ({ flags }: Pick<TransactionRow, 'flags'>) => {
  const id = useId()
  if (flags.length === 0) return null
  return (
    <section className={classes.flags} aria-labelledby={id}>
      <h3 id={id}>
        <IconFlag size={16} aria-hidden /> {t('flags')}
      </h3>
      <ul>
        {flags.map((flag) => (
          <li key={flag}>{t(`flag.${flag}`)}</li>
        ))}
      </ul>
    </section>
  )
}
