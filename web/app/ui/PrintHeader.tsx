import { useEffect, useState } from 'react'
import { configuration } from '../configuration.ts'
import { common } from '../i18n/common.ts'
import { locale } from '../i18n/language.ts'
import { Logo } from './Logo.tsx'
import classes from './PrintHeader.module.css'

const written = new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'short' })
const { timeZone } = written.resolvedOptions()

/** What a printed statement begins with: the product, whose money this is, and the moment and time zone of all that stands below. */
export const PrintHeader = ({ email }: { email: string }) => {
  const [moment, setMoment] = useState(() => new Date())
  useEffect(() => {
    const onPrint = () => setMoment(new Date())
    window.addEventListener('beforeprint', onPrint)
    return () => window.removeEventListener('beforeprint', onPrint)
  }, [])
  return (
    <div className={classes.head}>
      <Logo />
      <p>
        <strong>{email}</strong>
        <span>{common('printed', { moment: written.format(moment), zone: timeZone })}</span>
        <span>{configuration().publicUrl || configuration().supportEmail}</span>
      </p>
    </div>
  )
}
