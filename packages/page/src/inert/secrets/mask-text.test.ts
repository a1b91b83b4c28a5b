import { describe, expect, test } from "vitest";
import { isSecretInFormat } from "./format-secrets.js";
import { maskText } from "./mask-text.js";
import { hidesMember, isSecretName } from "./secret-names.js";

describe("names", () => {
  test.each([
    "password",
    "newPassword",
    "access_token",
    "authToken",
    "x-api-key",
    "Authorization",
    "Set-Cookie",
    "clientSecret",
    "csrf",
    "sessionId",
    "otp",
    "otp_code",
    "cvv",
    "pass",
    "pw",
    "pin",
    "auth",
    "user_pass",
    "userPass",
    "login[pass]",
    "new-pw2",
    "cardPin",
    "db_pass",
    "one_time_code",
    "session_id",
    "refreshTokens",
    "private-key",
    "otp1",
    "userPIN",
  ])("%s is secret", (name) => expect(isSecretName(name)).toBe(true));
  test.each([
    "name",
    "maxTokens",
    "tokens",
    "token_count",
    "cookieConsent",
    "passwordStrength",
    "email",
    "option",
    "compass",
    "passenger",
    "spin",
    "pinned",
    "author",
    "auth_url",
    "pass_count",
    "inputTokens",
    "total_tokens",
    "laptop",
    "bypass",
  ])("%s is not", (name) => expect(isSecretName(name)).toBe(false));

  test("an object called auth is shown, a text is not", () => {
    expect(hidesMember("auth", {})).toBe(false);
    expect(hidesMember("auth", "x")).toBe(true);
    expect(hidesMember("token", {})).toBe(true);
  });
});

describe("text", () => {
  test("only secret parameters are masked", () => {
    expect(maskText("https://a.b/c?x=1&access_token=abc#id_token=def")).toBe(
      "https://a.b/c?x=1&access_token=•••#id_token=•••",
    );
    expect(maskText("https://user:pass@a.b/")).toBe("https://user:•••@a.b/");
    expect(maskText("/plain?page=2")).toBe("/plain?page=2");
    expect(maskText("/login?user=ada&pw=abc")).toBe("/login?user=ada&pw=•••");
  });

  test("pairs in JSON, forms and headers", () => {
    expect(maskText('{"a":"b","password" : "x\\"y","n":1}')).toBe('{"a":"b","password" : "•••","n":1}');
    expect(maskText("user=ada&password=x&y=1")).toBe("user=ada&password=•••&y=1");
    expect(maskText("Authorization: Bearer abcdef123456")).toBe("Authorization: Bearer •••");
    expect(maskText("nothing here")).toBe("nothing here");
  });

  test("numbers, strings inside strings, and strings that the text cuts off", () => {
    expect(maskText('{"password":87654321,"n":1}')).toBe('{"password":"•••","n":1}');
    const twice = JSON.stringify({ body: JSON.stringify({ password: 'x"y', n: 1, pin: 1234 }) });
    expect(JSON.parse(JSON.parse(maskText(twice)).body)).toEqual({ password: "•••", n: 1, pin: "•••" });
    const thrice = JSON.stringify({ a: twice });
    expect(maskText(thrice)).not.toMatch(/x|1234/);
    expect(maskText('{"a":1,"password":"hunt')).toBe('{"a":1,"password":"•••"');
  });

  test("URLs and pairs inside text", () => {
    expect(maskText("GET /a?token=abc&x=1 failed")).toBe("GET /a?token=•••&x=1 failed");
    expect(maskText("to http://u:pw@h/cb?x=1#access_token=abc\nand /b?pw=x")).toBe(
      "to http://u:•••@h/cb?x=1#access_token=•••\nand /b?pw=•••",
    );
    expect(maskText("user=ada password=abc")).toBe("user=ada password=•••");
    expect(maskText("password=it's<x>&y=1")).toBe("password=•••&y=1");
    expect(maskText('<a href="/x?token=abc" title="t">')).toBe('<a href="/x?token=•••" title="t">');
  });

  test("names that the app adds are masked everywhere", () => {
    const hides = (name: string): boolean => name === "iban";
    expect(maskText("/a?iban=x&token=y", hides)).toBe("/a?iban=•••&token=y");
    expect(maskText('{"iban":"x"} \\"iban\\":1', hides)).toBe('{"iban":"•••"} \\"iban\\":\\"•••\\"');
  });

  test("no text takes long, whatever it contains", () => {
    const hostile = ["\\", '"', "a=", "a:", '"a":', '\\"a\\":\\"', "a.", "?", "bearer ", " ", "://", "&"];
    for (const part of hostile) {
      const text = `@=:${part.repeat(60_000 / part.length)}`;
      const cpuBefore = process.cpuUsage();
      maskText(text);
      expect(process.cpuUsage(cpuBefore).user / 1_000, part).toBeLessThan(500);
    }
  });

  test.each([
    ["GET /?access_token=abcdef&page=2", "GET /?access_token=•••&page=2"],
    ["https://u:pass@host/", "https://u:•••@host/"],
    ["https://host/a:b@c", "https://host/a:b@c"],
    ["Authorization: Bearer abc.def", "Authorization: Bearer •••"],
    ["Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic •••"],
    ["sent Basic dXNlcjpwYXNz to it", "sent Basic ••• to it"],
    ["basic information about bearers", "basic information about bearers"],
    ["password: hunter2", "password: •••"],
    ["password = hunter2", "password = •••"],
    ["const token = 'abc'", "const token = '•••'"],
    ["pin: 1234", "pin: •••"],
    ["pass: all tests", "pass: all tests"],
    ["tokens: 1234", "tokens: 1234"],
    ["cookies: enabled", "cookies: enabled"],
    ['{"token": true, "password": null}', '{"token": true, "password": null}'],
    ["{'db_pass': 'x'}", "{'db_pass': '•••'}"],
    ["login[pass]=x&a=1", "login[pass]=•••&a=1"],
    ["/cb?%70assword=x", "/cb?%70assword=•••"],
    ["12:30:45 a=b", "12:30:45 a=b"],
    ["password=%s for %s, pin: '%d'", "password=%s for %s, pin: '%d'"],
  ])("%s", (text, masked) => {
    expect(maskText(text)).toBe(masked);
    expect(maskText(masked)).toBe(masked);
  });

  test("every secret of a line is masked", () => {
    expect(maskText("token=abcdef ".repeat(50))).toBe("token=••• ".repeat(50));
  });

  test("an argument is secret by the format before it", () => {
    expect(isSecretInFormat("user=%s password=%s", 0)).toBe(false);
    expect(isSecretInFormat("user=%s password=%s", 1)).toBe(true);
    expect(isSecretInFormat("100%% token: %s", 0)).toBe(true);
    expect(isSecretInFormat("%s", 3)).toBe(false);
  });

  test("leaves no trace in the legacy members of RegExp", () => {
    /(b+)/.exec("abbbc");
    maskText("token=abcdef and https://u:p@h and Bearer abcdef123456");
    isSecretName("password");
    expect((RegExp as unknown as { $1: string }).$1).toBe("bbb");
  });
});
