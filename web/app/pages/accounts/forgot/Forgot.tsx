import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { callFailed } from '@pool/contract/base/messages'
import { IconMail } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useForgotPassword } from '../../../api/accounts/resets.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { configuration } from '../../../configuration.ts'
import { AccountForm } from '../../../forms/AccountForm.tsx'
import { t } from '../../../i18n/account.ts'
import { AuthPage } from '../../../layout/AuthPage.tsx'
import { Done } from '../../../layout/Done.tsx'
import { Refused } from '../../../layout/Refused.tsx'
import { useEarlyEntries } from '../../../loading/earlyEntries.ts'
import { useLateRules } from '../../../loading/lateRules.ts'

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
  useEarlyEntries(form)
  const submit = form.onSubmit((values) => {
    if (!forgot.isPending) forgot.mutate(values)
  })
  if (forgot.isSuccess) return <Asked email={form.getValues().email.trim()} />
  return (
    <AccountForm
      refused={
        forgot.isError && (
          <Refused title={t('forgot.error')}>
            {messageOf(forgot.error, callFailed.changePassword)}
          </Refused>
        )
      }
      busy={forgot.isPending}
      submitLabel={t('forgot.submit')}
      busyLabel={t('forgot.busy')}
      onSubmit={submit}
    >
      <TextInput
        label={t('email')}
        type="email"
        size="md"
        autoComplete="username"
        placeholder={t('emailExample')}
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
    </AccountForm>
  )
}

/** Asks for a link to a new password (docs/product.md 3.22). */
export default function Forgot() {
  const { productName } = configuration()
  return (
    <AuthPage
      path="/forgot"
      title={t('forgot.title', { product: productName })}
      description={t('forgot.description', { product: productName })}
      headline={t('forgot.headline')}
      subline={t('forgot.subline')}
      otherwise={<Link to="/login">{t('forgot.back')}</Link>}
    >
      <ForgotForm />
    </AuthPage>
  )
}
