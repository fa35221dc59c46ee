import { Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { t } from '../../i18n/links.ts'

/** The code in what was pasted: the code itself, or the whole link. Undefined for neither. */
const codeIn = (pasted: string): string | undefined =>
  /(?:^|#)([\w-]{43})$/.exec(pasted.replaceAll(/\s/g, ''))?.[1]

/**
 * Asks for the code of a mail, where its link lost its end on the way. Then the page goes on as if
 * the whole link had opened it.
 */
export const LinkCode = () => {
  const navigate = useNavigate()
  const { search } = useLocation()
  const [error, setError] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = codeIn(String(new FormData(event.currentTarget).get('code') ?? ''))
    if (code === undefined) setError(t('code.error'))
    else void navigate({ search, hash: code }, { replace: true })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text>{t('code.text')}</Text>
        <TextInput
          name="code"
          label={t('code.label')}
          size="md"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          error={error}
          onChange={() => setError(null)}
        />
        <Button type="submit" size="md" fullWidth>
          {t('code.submit')}
        </Button>
      </Stack>
    </form>
  )
}
