import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Documented, ShownDocument } from '../../../api/lending/loanRecords.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/loanRecords.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { draftedDialog } from '../../../session/drafts.ts'
import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import classes from './OneLoan.module.css'
import { RecordLine } from './RecordLine.tsx'

const DocumentDialog = dialogOnDemand(
  async () => (await import('./DocumentDialog.tsx')).DocumentDialog,
)
const WithdrawDialog = dialogOnDemand(
  async () => (await import('./WithdrawDialog.tsx')).WithdrawDialog,
)

type Props = {
  readonly of: Documented
  readonly documents: readonly ShownDocument[]
  /** True for the borrower's own account, which adds and withdraws none. */
  readonly isOwn: boolean
}

/** The link opens apart from this page, which the other site learns nothing of. */
const Link = ({ title, link }: Pick<ShownDocument, 'title' | 'link'>) =>
  // A link of a newer or a broken server is no way out of HTTPS.
  link.startsWith('https://') ? (
    <a
      href={link}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={t('document.open')}
      className={classes.record}
    >
      {title}
    </a>
  ) : (
    title
  )

/** Documents of a loan or a borrower, withdrawn ones with their reason (docs/product.md 5.35). */
export const Documents = ({ of, documents, isOwn }: Props) => {
  const me = useSessionUser()?.id ?? ''
  const mayChange = useMayWrite() && !isOwn
  const [adding, setAdding] = useState<boolean | null>(
    draftedDialog(me) === `document ${of.id}` || null,
  )
  const ending = useSubject<ShownDocument>()
  return (
    <section aria-labelledby="documents" className={classes.section}>
      <div className={classes.bar}>
        <h2 id="documents">{t('documents')}</h2>
        {mayChange && (
          <Button variant="default" size="xs" onClick={() => setAdding(true)}>
            {t('document.add')}
          </Button>
        )}
      </div>
      <div className={classes.card}>
        {documents.length === 0 && <p className={classes.none}>{t('documents.none')}</p>}
        <ul className={classes.lines} aria-label={t('documents')}>
          {documents.map((document) => (
            <RecordLine
              key={document.id}
              record={document}
              heading={<Link {...document} />}
              withdrawLabel={t('document.withdraw', { name: document.title })}
              onWithdraw={mayChange ? () => ending.open(document) : null}
            >
              <p className={classes.evidence}>
                {t('document.digest')} <span className={classes.code}>{document.sha256}</span>
              </p>
            </RecordLine>
          ))}
        </ul>
      </div>
      {adding !== null && (
        <DocumentDialog of={of} opened={adding} onClose={() => setAdding(false)} />
      )}
      {ending.row && (
        <WithdrawDialog
          kind="document"
          id={ending.row.id}
          name={ending.row.title}
          opened={ending.opened}
          onClose={ending.close}
        />
      )}
    </section>
  )
}
