import { useEffect, useState } from 'react'
import { configuration } from '../configuration.ts'
import { common } from '../i18n/common.ts'
import { dateFormat } from '../i18n/format.ts'
import { Logo } from '../ui/Logo.tsx'
import classes from './PrintHeader.module.css'

const written = dateFormat({ dateStyle: 'long', timeStyle: 'short' })

/** The head of a printed statement: product, owner, moment and time zone. */
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
        <span>
          {common('printed', {
            moment: written().format(moment),
            zone: written().resolvedOptions().timeZone,
          })}
        </span>
        <span>{configuration().publicUrl || configuration().supportEmail}</span>
      </p>
    </div>
  )
}
