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
    ]),
    layout('routes/requireLogin.tsx', [route('dashboard', 'pages/dashboard/Dashboard.tsx')]),
    layout('routes/requireStaff.tsx', [
      route('admin', 'pages/admin/AdminDashboard.tsx'),
      route('admin/audit', 'pages/audit/AuditTrail.tsx'),
    ]),
  ]),
  route('*', 'routes/elsewhere.tsx'),
] satisfies RouteConfig
