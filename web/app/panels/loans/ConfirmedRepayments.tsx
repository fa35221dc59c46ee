import { asRecord, asText, list } from '../../api/http/reading.ts'
import { t } from '../../i18n/losses.ts'
import classes from './ConfirmedRepayments.module.css'

const readNamed = list((value) => {
  const { reference, amount } = asRecord(value) ?? {}
  return { reference: asText(reference) ?? '', amount: asText(amount) ?? '' }
})

/** The facts of the proposal. */
type Props = { readonly facts: Readonly<Record<string, unknown>> }

/** The repayments that both people confirm with the operator's capital, the largest first. */
export const ConfirmedRepayments = ({ facts }: Props) => {
  const named = readNamed(facts.largest)
  const more = Number(facts.count ?? 0) - named.length
  if (named.length === 0) return null
  return (
    <>
      <ul className={classes.list} aria-label={t('take.list')}>
        {named.map(({ reference, amount }, place) => (
          <li key={place}>
            <span>{reference}</span>
            <span>{amount}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p>{t('take.more', { count: more })}</p>}
    </>
  )
}
