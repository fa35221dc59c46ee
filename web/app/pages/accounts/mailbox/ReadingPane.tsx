import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useMail } from '../../../api/accounts/mails.ts'
import { t } from '../../../i18n/mailbox.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Email } from '../../../ui/Email.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import classes from './Mailbox.module.css'

/** A mail as its reader sees it. The frame runs no scripts; links open beside the mailbox. */
export const ReadingPane = ({ id }: { id: string }) => {
  const query = useMail(id, t('failed'))
  const { data: mail } = query
  return (
    <>
      <Link to="?" className={classes.toList} preventScrollReset>
        <IconArrowLeft size={16} aria-hidden />
        {t('list')}
      </Link>
      {!mail && <Pending query={query} failed={t('failed')} loading={t('loading')} />}
      {mail && (
        <article className={classes.mail}>
          <h2 className={classes.subject}>{mail.subject}</h2>
          <dl className={classes.head}>
            <dt>{t('to')}</dt>
            <dd>
              <Email>{mail.recipient}</Email>
            </dd>
            <dt>{t('at')}</dt>
            <dd>
              <DateTime at={mail.createdAt} />
            </dd>
          </dl>
          <iframe
            className={classes.frame}
            title={mail.subject}
            srcDoc={mail.html}
            sandbox="allow-popups allow-popups-to-escape-sandbox"
          />
          <details className={classes.plain}>
            <summary>{t('plain')}</summary>
            <pre>{mail.text}</pre>
          </details>
        </article>
      )}
    </>
  )
}
