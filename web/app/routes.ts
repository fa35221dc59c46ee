/**
 * Every screen and its guard (docs/product.md 3.1). Guards choose what is drawn; the server decides
 * what may be done.
 */
import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('pages/landing/Landing.tsx'),
  layout('Shell.tsx', [
    layout('routes/loggedOutOnly.tsx', [
      route('login', 'pages/accounts/login/Login.tsx'),
      route('register', 'pages/accounts/register/Register.tsx'),
      route('forgot', 'pages/accounts/forgot/Forgot.tsx'),
    ]),
    // Also of signed-in users.
    route('pool', 'pages/lending/pool/Pool.tsx'),
    route('verify', 'pages/reports/verify/Verify.tsx'),
    // Also of signed-in users, who may open a mailed link.
    route('reset', 'pages/accounts/reset/Reset.tsx'),
    route('confirm', 'pages/accounts/confirm/Confirm.tsx'),
    route('freeze', 'pages/accounts/freeze/Freeze.tsx'),
    layout('routes/requireLogin.tsx', [
      route('dashboard', 'pages/dashboard/Dashboard.tsx'),
      route('security', 'pages/accounts/security/Security.tsx'),
      route('notices', 'pages/reports/notices/Notices.tsx'),
      route('statements', 'pages/reports/statements/Statements.tsx'),
    ]),
    layout('routes/requireStaff.tsx', [
      route('admin', 'pages/admin/AdminDashboard.tsx'),
      route('admin/today', 'pages/reports/today/Today.tsx'),
      route('admin/audit', 'pages/records/audit/AuditTrail.tsx'),
      route('admin/users/:id', 'pages/accounts/person/Person.tsx'),
      route('admin/mails', 'pages/accounts/undelivered/Undelivered.tsx'),
      route('admin/rates', 'pages/chain/rates/Rates.tsx'),
      route('admin/plans', 'pages/money/plans/Plans.tsx'),
      route('admin/stress', 'pages/lending/stress/Stress.tsx'),
      route('admin/networks', 'pages/chain/chains/Chains.tsx'),
      route('admin/reconciliation', 'pages/coins/reconciliation/Reconciliation.tsx'),
      route('admin/losses', 'pages/lending/losses/Losses.tsx'),
      route('admin/wind-down', 'pages/lending/losses/WindDown.tsx'),
      route('admin/batches', 'pages/coins/batches/Batches.tsx'),
      route('admin/batches/:id', 'pages/coins/batches/OneBatch.tsx'),
      route('admin/loans/:id', 'pages/lending/loans/OneLoan.tsx'),
      route('admin/borrowers', 'pages/lending/loans/Borrowers.tsx'),
      route('admin/borrowers/:id', 'pages/lending/loans/OneBorrower.tsx'),
      route('mailbox', 'pages/accounts/mailbox/Mailbox.tsx'),
    ]),
  ]),
  route('admin/chains', 'routes/moved.tsx'),
  route('*', 'routes/elsewhere.tsx'),
] satisfies RouteConfig
