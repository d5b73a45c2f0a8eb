"""Schemathesis hooks for rules that the document cannot express: between parameters, known hosts, and fresh accounts."""

import base64
import datetime
import itertools
import json
import os
from urllib.parse import quote

import requests
import schemathesis
from hypothesis import strategies as st
from schemathesis.generation import GenerationMode

BASE = os.environ["BLAZON_URL"]
PASSWORD = "a pass phrase of every account"
MAX_RESULT_SIDE = 4096

# The service only accepts hosts under a suffix of the public suffix list.
LABELS = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True).filter(lambda label: label[2:4] != "--")
HOSTS = st.builds(
    lambda labels, suffix: ".".join([*labels, suffix]),
    st.lists(LABELS, min_size=1, max_size=3),
    st.sampled_from(["com", "org", "net", "de", "co.uk", "io", "dev", "com.br"]),
)
IDN_HOSTS = st.sampled_from(["bücher.example", "почта.рф", "xn--80a1acny.xn--p1ai"])
LOCAL_PARTS = st.from_regex(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,40}", fullmatch=True)
schemathesis.openapi.format("hostname", st.one_of(st.sampled_from(["github.com", "aws.amazon.com"]), HOSTS))
schemathesis.openapi.format(
    "uri",
    st.builds(lambda host, path: f"https://{host}/{quote(path)}", HOSTS, st.text(max_size=20)),
)
schemathesis.openapi.format(
    "email",
    st.builds(lambda local, host: f"{local}@{host}", LOCAL_PARTS, HOSTS),
)
schemathesis.openapi.format(
    "idn-email",
    st.builds(lambda local, host: f"{local}@{host}", LOCAL_PARTS, st.one_of(HOSTS, IDN_HOSTS)),
)
# Common passwords and repetitions of one character are rejected.
schemathesis.openapi.format(
    "password",
    st.one_of(
        st.just(PASSWORD),
        st.text(min_size=8, max_size=120, alphabet="abcdefgh ijklm0123456789-äöü漢字").map("x1-".__add__),
    ),
)

ENDS_SESSIONS = ("DELETE /auth/sessions/{id}", "POST /auth/logout")
counter = itertools.count()


def client():
    """Returns a new client address, because attempts are limited by address."""
    number = next(counter)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def fresh_account():
    response = requests.post(
        f"{BASE}/auth/register",
        json={"email": f"schemathesis-{os.getpid()}-{next(counter)}@example.com", "password": PASSWORD},
        headers={"X-Forwarded-For": client()},
        timeout=30,
    )
    response.raise_for_status()
    return response.json()


def session_of(authorization):
    claims = authorization.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sid"]


def example_of(operation, name):
    for parameter in operation.definition.raw["parameters"]:
        if parameter["name"] == name:
            return parameter.get("example") or parameter["schema"]["examples"][0]
    raise KeyError(name)


def keep_rules(case):
    """Adds the parameters that `x-parameter-rules` require, and removes excluded ones."""
    query = case.query or {}
    pick = len(str(query))
    for rule in case.operation.definition.raw.get("x-parameter-rules", []):
        names = rule.get("exactlyOneOf") or rule.get("atLeastOneOf")
        if names:
            given = [name for name in names if name in query]
            if not given:
                query[names[0]] = example_of(case.operation, names[0])
            for name in given if "exactlyOneOf" in rule else []:
                if name != given[pick % len(given)]:
                    del query[name]
        elif "onlyWith" in rule:
            required = rule["onlyWith"]
            is_meant = query.get(rule["parameter"]) in (None, rule.get("value", query.get(rule["parameter"])))
            if is_meant and query.get(required["parameter"]) != required["value"]:
                query.pop(rule["parameter"], None)
        elif rule["parameter"] in query and any(name in query for name in rule["notWith"]):
            for name in [rule["parameter"]] if pick % 2 else rule["notWith"]:
                query.pop(name, None)
    side = max(int(query.get(name, 0)) for name in ("size", "width", "height"))
    if side * int(query.get("scale", 1)) > MAX_RESULT_SIDE:
        del query["scale"]
    # Values that depend on others: names of the entry, and a cursor of the same search.
    if "variant" in query and case.operation.path != "/v1/search":
        query["variant"] = "default"
    query.pop("cursor", None)
    # URLs in responses point to the service, and its host belongs to no brand.
    if "url" in query:
        query["url"] = query["url"].replace("//localhost", "//github.com")
    case.query = query


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation
    case.headers["X-Forwarded-For"] = client()
    body = case.body if isinstance(case.body, dict) else {}
    # Requests that end a session or check a password use another account, so that they don't affect other requests.
    is_signed_in = case.headers.get("Authorization", "").startswith("Bearer ey")
    if is_signed_in and (
        "currentPassword" in body or operation.label in ENDS_SESSIONS
    ):
        case.headers["Authorization"] = f"Bearer {fresh_account()['accessToken']}"
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    # One credential is enough, and two are rejected.
    if "X-API-Key" in case.headers:
        case.headers.pop("Authorization", None)
    # With the cookie, the body must be JSON.
    if operation.label == "POST /auth/logout" and "Authorization" not in case.headers:
        case.body, case.media_type = {}, "application/json"
    if operation.definition.raw.get("x-parameter-rules"):
        keep_rules(case)
    # Counters only exist for recent days.
    if operation.path.startswith("/v1/analytics/"):
        today = datetime.datetime.now(datetime.timezone.utc).date()
        for name, days_ago in (("from", 20), ("to", 10)):
            if name in (case.query or {}):
                case.query[name] = (today - datetime.timedelta(days=days_ago)).isoformat()
    for name in ("password", "newPassword"):
        if len(set(body.get(name, "two"))) == 1:
            body[name] = "x1" + body[name][2:]
    if "newPassword" in body and body["newPassword"] == body.get("currentPassword"):
        body["newPassword"] += " too"
    # Attempts are limited by e-mail address, and most session ids are unknown.
    if operation.label == "POST /auth/login":
        body["email"] = fresh_account()["account"]["email"]
    if operation.label == "DELETE /auth/sessions/{id}" and is_signed_in and next(counter) % 2:
        case.path_parameters = {"id": session_of(case.headers["Authorization"])}
