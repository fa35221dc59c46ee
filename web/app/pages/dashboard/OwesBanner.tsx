import { t } from '../../i18n/dashboard.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import notice from '../../ui/Notice.module.css'

/** Says that the investor owes for a deposit that its network took back, and what follows. */
export const OwesBanner = ({ owes }: { owes: number }) => {
  const text = useDollarText()
  return (
    <section className={notice.notice} aria-labelledby="owes">
      <h2 id="owes">{t('owes', { amount: text(owes) })}</h2>
      <p>{t('owes.text')}</p>
    </section>
  )
}
