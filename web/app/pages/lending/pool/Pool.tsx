import { configuration } from '../../../configuration.ts'
import { t } from '../../../i18n/pool.ts'
import { PageHead } from '../../../layout/PageHead.tsx'
import { SiteFooter } from '../../../layout/SiteFooter.tsx'
import { SiteHeader } from '../../../layout/SiteHeader.tsx'
import { MAIN } from '../../../layout/SkipLink.tsx'
import { useArrivalFocus } from '../../../layout/useArrivalFocus.ts'
import { onDemand } from '../../../loading/onDemand.tsx'
import classes from './Pool.module.css'

const PoolFigures = onDemand(async () => (await import('./PoolFigures.tsx')).PoolFigures, {
  waiting: () => (
    <p role="status" className={classes.rule}>
      {t('loading')}
    </p>
  ),
})

/** The loan book and what the pool owes, for everybody (docs/product.md 5.33). */
export default function Pool() {
  const heading = useArrivalFocus<HTMLHeadingElement>(true)
  return (
    <>
      <PageHead
        path="/pool"
        title={`${t('title')} · ${configuration().productName}`}
        description={t('description')}
      />
      <SiteHeader page="pool" />
      <main id={MAIN} tabIndex={-1} className={classes.page}>
        <h1 ref={heading} tabIndex={-1} className={classes.title}>
          {t('heading')}
        </h1>
        <p className={classes.lead}>{t('lead')}</p>
        <PoolFigures />
      </main>
      <SiteFooter variant="reduced" />
    </>
  )
}
