import { formatDollars } from '@pool/contract/base/money'
import { inDefault, type ShownPool } from '../../../api/lending/poolBook.ts'
import { t } from '../../../i18n/pool.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { countText, Facts, percentText, Section } from './parts.tsx'

type Props = { readonly pool: ShownPool }

/** The loans that owe something, or that there never was one. */
export const Book = ({ pool }: Props) => {
  const { book } = pool
  const defaulted = inDefault(pool)
  if (book.everLent === 0)
    return (
      <Section title={t('book')}>
        <EmptyState title={t('noLoans')} text={t('noLoans.text')} />
      </Section>
    )
  const [one, five, ten] = book.largest
  return (
    <Section title={t('book')} rule={t('book.rule')}>
      <Facts
        facts={[
          { name: t('book.outstanding'), value: formatDollars(book.outstanding) },
          { name: t('book.loans'), value: countText(book.loans - defaulted) },
          { name: t('book.defaulted'), value: countText(defaulted) },
          { name: t('book.borrowers'), value: countText(book.borrowers) },
          { name: t('book.rate'), value: percentText(book.rate) },
          { name: t('book.termDays'), value: countText(book.termDays) },
          { name: t('book.largest1'), value: percentText(one) },
          { name: t('book.largest5'), value: percentText(five) },
          { name: t('book.largest10'), value: percentText(ten) },
          { name: t('book.related'), value: percentText(book.related) },
          { name: t('book.everLent'), value: countText(book.everLent) },
        ]}
      />
    </Section>
  )
}
