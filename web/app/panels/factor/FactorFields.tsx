import { TextInput } from '@mantine/core'
import { t } from '../../i18n/factors.ts'
import classes from './FactorFields.module.css'
import type { FactorAnswering } from './useFactorAnswer.ts'

/** The field for a code, and the other ways to prove a second factor. */
export const FactorFields = ({ answering }: { readonly answering: FactorAnswering }) => {
  const { way, others, code, fault, busy, choose, type } = answering
  return (
    <>
      {way === 'PASSKEY' ? (
        <p className={classes.about}>{t('ask.PASSKEY')}</p>
      ) : (
        <TextInput
          key={way}
          label={t(`ask.${way}`)}
          size="md"
          value={code}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          error={fault}
          readOnly={busy}
          autoFocus
          data-autofocus
          autoComplete={way === 'TOTP' ? 'one-time-code' : 'off'}
          inputMode={way === 'TOTP' ? 'numeric' : 'text'}
          maxLength={way === 'TOTP' ? 7 : 40}
          spellCheck={false}
          autoCapitalize="characters"
        />
      )}
      <div className={classes.others}>
        {others.map((other) => (
          <button key={other} type="button" onClick={() => choose(other)} disabled={busy}>
            {t(`use.${other}`)}
          </button>
        ))}
      </div>
    </>
  )
}
