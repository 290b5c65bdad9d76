import type { Language } from '../../../core/index.js'

const en = {
  button: 'Log in with OpenID Connect',
  unreachable: 'The login provider does not answer. Try again in a minute.',
  unusable: "The login provider gave an invalid answer. The service's log has the reason.",
  stale: 'This login took too long, or another one was begun in this browser. Try again.',
  denied: 'The login provider did not let you in.',
  noRole: 'You have no role here. Ask an administrator.',
  noName: 'The login provider did not say your user name. Ask an administrator.',
  badName: 'Your user name cannot be used here. Ask an administrator.',
  nameTaken: 'Another user has your user name here. Ask an administrator.',
  full: 'No more users can be added here. Ask an administrator.'
}
export type OpenIdTexts = Readonly<typeof en>

/** Texts of the login page about a login with a provider. */
export const openIdTexts: Readonly<Record<Language, OpenIdTexts>> = {
  en,
  de: {
    button: 'Mit OpenID Connect anmelden',
    unreachable: 'Der Anmeldedienst antwortet nicht. In einer Minute noch einmal versuchen.',
    unusable: 'Der Anmeldedienst hat eine unbrauchbare Antwort gegeben. Der Grund steht im Protokoll des Dienstes.',
    stale: 'Diese Anmeldung hat zu lange gedauert, oder in diesem Browser wurde eine andere begonnen. Noch einmal versuchen.',
    denied: 'Der Anmeldedienst hat die Anmeldung abgelehnt.',
    noRole: 'Ihnen ist hier keine Rolle zugeordnet. Bitte an die Administration wenden.',
    noName: 'Der Anmeldedienst hat keinen Benutzernamen genannt. Bitte an die Administration wenden.',
    badName: 'Ihr Benutzername kann hier nicht verwendet werden. Bitte an die Administration wenden.',
    nameTaken: 'Ihren Benutzernamen hat hier schon jemand anders. Bitte an die Administration wenden.',
    full: 'Hier können keine weiteren Benutzer angelegt werden. Bitte an die Administration wenden.'
  },
  zh: {
    button: '使用 OpenID Connect 登录',
    unreachable: '登录服务没有响应，请一分钟后重试。',
    unusable: '登录服务的应答无法使用，原因见本服务的日志。',
    stale: '本次登录耗时过长，或此浏览器中又开始了另一次登录。请重试。',
    denied: '登录服务拒绝了登录。',
    noRole: '您在此没有角色，请联系管理员。',
    noName: '登录服务没有提供您的用户名，请联系管理员。',
    badName: '您的用户名不能在此使用，请联系管理员。',
    nameTaken: '此处已有其他用户使用您的用户名，请联系管理员。',
    full: '此处无法再添加用户，请联系管理员。'
  }
}
