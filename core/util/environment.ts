export type Environment = Readonly<Record<string, string | undefined>>

/** The process's environment; nothing else in the package reads it. */
export const environment = (): Environment => process.env

/** What programs need to be found, to find their libraries, and to write temporary files. */
const BASIC = /^(PATH|PATHEXT|HOME|USERPROFILE|TMPDIR|TMP|TEMP|SYSTEMROOT|WINDIR|LANG|LC_.+|TZ|LD_LIBRARY_PATH|DYLD_.+)$/i

/** What a program needs to show something on the desktop of whoever sits there. */
export const DESKTOP = /^(DISPLAY|WAYLAND_.+|XAUTHORITY|XDG_.+|DBUS_.+|DESKTOP_.+|GNOME_.+|KDE_.+|BROWSER|APPDATA|LOCALAPPDATA|PROGRAM.+|WSL_.+)$/i

/** The environment of a program that we start: not the whole of ours, in which tokens and access codes may stand. */
export const childEnvironment = (also?: RegExp, env: Environment = environment()): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => BASIC.test(name) || also?.test(name) === true))
