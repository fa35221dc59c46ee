/**
 * Every screen and its guard (docs/product.md 3.1). Guards choose what is drawn; the server decides
 * what may be done.
 */
import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('pages/landing/Landing.tsx'),
  layout('Shell.tsx', [
    layout('routes/loggedOutOnly.tsx', [
      route('login', 'pages/login/Login.tsx'),
      route('register', 'pages/register/Register.tsx'),
      route('forgot', 'pages/forgot/Forgot.tsx'),
    ]),
    // Also of signed-in users.
    route('pool', 'pages/pool/Pool.tsx'),
    route('verify', 'pages/verify/Verify.tsx'),
    // Also of signed-in users, who may open a mailed link.
    route('reset', 'pages/reset/Reset.tsx'),
    route('confirm', 'pages/confirm/Confirm.tsx'),
    route('freeze', 'pages/freeze/Freeze.tsx'),
    layout('routes/requireLogin.tsx', [
      route('dashboard', 'pages/dashboard/Dashboard.tsx'),
      route('security', 'pages/security/Security.tsx'),
      route('statements', 'pages/statements/Statements.tsx'),
    ]),
    layout('routes/requireStaff.tsx', [
      route('admin', 'pages/admin/AdminDashboard.tsx'),
      route('admin/audit', 'pages/audit/AuditTrail.tsx'),
      route('admin/users/:id', 'pages/person/Person.tsx'),
      route('admin/mails', 'pages/undelivered/Undelivered.tsx'),
      route('admin/rates', 'pages/rates/Rates.tsx'),
      route('admin/plans', 'pages/plans/Plans.tsx'),
      route('admin/stress', 'pages/stress/Stress.tsx'),
      route('admin/chains', 'pages/chains/Chains.tsx'),
      route('admin/reconciliation', 'pages/reconciliation/Reconciliation.tsx'),
      route('admin/losses', 'pages/losses/Losses.tsx'),
      route('admin/batches', 'pages/batches/Batches.tsx'),
      route('admin/batches/:id', 'pages/batches/OneBatch.tsx'),
      route('admin/loans/:id', 'pages/loans/OneLoan.tsx'),
      route('admin/borrowers', 'pages/loans/Borrowers.tsx'),
      route('admin/borrowers/:id', 'pages/loans/OneBorrower.tsx'),
      route('mailbox', 'pages/mailbox/Mailbox.tsx'),
    ]),
  ]),
  route('*', 'routes/elsewhere.tsx'),
] satisfies RouteConfig
