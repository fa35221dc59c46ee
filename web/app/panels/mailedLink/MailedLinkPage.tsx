import { Button, Stack, Text } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { messageOf } from '../../api/http/errors.ts'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/links.ts'
import { AuthPage } from '../../layout/AuthPage.tsx'
import { Refused } from '../../layout/Refused.tsx'
import { useHydrated } from '../../loading/useHydrated.ts'
import { LinkCode } from './LinkCode.tsx'

type Props<Answer> = {
  /** Names its sentences, too. */
  readonly page: 'confirm' | 'freeze'
  /** Uses the token of the link. */
  readonly use: UseMutationResult<Answer, Error, string>
  readonly onUsed: (answer: Answer) => void
  /** Stands in place of the button once the link was used. */
  readonly done: (answer: Answer) => ReactNode
  /** Leads on from a refusal. */
  readonly wayOut: ReactNode
}

/** A page for visitors with one button, which uses the mailed link that opened it. */
export const MailedLinkPage = <Answer,>({ page, use, onUsed, done, wayOut }: Props<Answer>) => {
  const token = useLocation().hash.slice(1)
  // Prerendering knows no hash, so a missing one shows only after hydration.
  const isMissing = useHydrated() && token === ''
  const product = configuration().productName
  const refusal = use.isError && messageOf(use.error, t(`${page}.failed`))
  return (
    <AuthPage
      path={`/${page}`}
      title={t(`${page}.title`, { product })}
      description={t(`${page}.description`, { product })}
      headline={t(`${page}.headline`)}
      subline={t(`${page}.subline`)}
      otherwise={<Link to="/login">{t('back')}</Link>}
    >
      {use.isSuccess ? (
        done(use.data)
      ) : (
        <Stack gap="md">
          {refusal && (
            <Refused title={t(`${page}.error`)}>
              {refusal} {wayOut}
            </Refused>
          )}
          {isMissing ? (
            <LinkCode />
          ) : (
            <>
              <Text>{t(`${page}.text`)}</Text>
              {/* A mail scanner opens the page, but presses no button. */}
              <Button
                size="md"
                fullWidth
                // A disabled button would lose the focus.
                aria-busy={use.isPending}
                {...(use.isPending && { 'aria-disabled': true, 'data-disabled': true })}
                onClick={() => {
                  if (!use.isPending) use.mutate(token, { onSuccess: onUsed })
                }}
              >
                {use.isPending ? t(`${page}.busy`) : t(`${page}.submit`)}
              </Button>
            </>
          )}
        </Stack>
      )}
    </AuthPage>
  )
}
