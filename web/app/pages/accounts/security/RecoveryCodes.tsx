import { Button } from '@mantine/core'
import { useState } from 'react'
import { configuration } from '../../../configuration.ts'
import { DialogFoot } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/factors.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import classes from './Factors.module.css'

type Props = { readonly codes: readonly string[]; readonly onClose: () => void }

/** Recovery codes, which are shown once, to copy and to download. */
export const RecoveryCodes = ({ codes, onClose }: Props) => {
  const [said, setSaid] = useState<'codes.copied' | 'codes.copyRefused' | null>(null)
  const text = `${configuration().productName}\n${t('codes')}\n\n${codes.join('\n')}\n`
  const copy = async () => {
    try {
      // Pages on plain http have no clipboard.
      await navigator.clipboard.writeText(codes.join('\n'))
      setSaid('codes.copied')
    } catch {
      setSaid('codes.copyRefused')
    }
  }
  return (
    <div className={classes.recovery}>
      <p>{t('codes.about')}</p>
      <ul className={classes.codes} aria-label={t('codes.list')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogFoot note={<p role="status">{said && t(said)}</p>}>
        <Button variant="default" onClick={() => void copy()}>
          {t('codes.copy')}
        </Button>
        <Button
          variant="default"
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}
        >
          {t('codes.download')}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t('codes.done')}
        </Button>
      </DialogFoot>
    </div>
  )
}
