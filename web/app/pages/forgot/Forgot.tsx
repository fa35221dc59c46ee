import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { callFailed } from '@pool/contract/messages'
import { IconAlertCircle, IconMail } from '@tabler/icons-react'
import { Link } from 'react-router'
import { messageOf } from '../../api/http/errors.ts'
import { useForgotPassword } from '../../api/resets.ts'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/account.ts'
import { AuthPage } from '../../layout/AuthPage.tsx'
import { Done } from '../../layout/Done.tsx'
import { PageHead } from '../../layout/PageHead.tsx'
import { useLateRules } from '../../loading/lateRules.ts'

const loadRules = async () => (await import('./rules.ts')).rules

/** Says the same for every email. */
const Asked = ({ email }: { email: string }) => (
  <Done title={t('forgot.asked')} icon={<IconMail aria-hidden />}>
    <span>{t('forgot.sent')}</span>
    <span>{t('forgot.look', { email })}</span>
    {configuration().poolMode === 'sandbox' && <span>{t('forgot.sandbox')}</span>}
  </Done>
)

const ForgotForm = () => {
  const forgot = useForgotPassword()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: useLateRules(loadRules),
  })
  const submit = form.onSubmit((values) => {
    if (!forgot.isPending) forgot.mutate(values)
  })
  if (forgot.isSuccess) return <Asked email={form.getValues().email.trim()} />
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {forgot.isError && (
          <Alert
            color="red"
            role="alert"
            title={t('forgot.error')}
            icon={<IconAlertCircle aria-hidden />}
          >
            {messageOf(forgot.error, callFailed.changePassword)}
          </Alert>
        )}
        <TextInput
          label={t('email')}
          type="email"
          size="md"
          autoComplete="username"
          placeholder={t('emailExample')}
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Button
          type="submit"
          size="md"
          mt="xs"
          fullWidth
          disabled={forgot.isPending}
          aria-busy={forgot.isPending}
        >
          {forgot.isPending ? t('forgot.busy') : t('forgot.submit')}
        </Button>
      </Stack>
    </form>
  )
}

/** Asks for a link to a new password (docs/product.md 3.22). */
export default function Forgot() {
  const { productName } = configuration()
  return (
    <AuthPage
      page="register"
      headline={t('forgot.headline')}
      subline={t('forgot.subline')}
      otherwise={<Link to="/login">{t('forgot.back')}</Link>}
    >
      <PageHead
        path="/forgot"
        title={t('forgot.title', { product: productName })}
        description={t('forgot.description', { product: productName })}
      />
      <ForgotForm />
    </AuthPage>
  )
}
