#!/usr/bin/env python3
"""Checks the manifests and service files in Config/ against published schemas and the program.

    Tests/Tools/Operations/kubernetes.py AASA

AASA is the built program: variables, addresses, paths and arguments in the files must be ones that it
takes, and ports and probes must be where it listens. Needs PyYAML, kubernetes-validate (PyPI) and
kubectl (for kustomize). Without the last two only compose.yaml and the service files are checked. Exit code
77 says what is missing. Where promtool is installed, the alerts are tested too.
"""

import json
import os
import plistlib
import re
import shutil
import subprocess
import sys

if len(sys.argv) != 2:
    sys.exit("usage: kubernetes.py AASA, the built program")
try:
    import yaml
except ImportError:
    print("skipped: PyYAML is not installed (pip install pyyaml)")
    sys.exit(77)
missing = [] if shutil.which("kubectl") else ["kubectl is not installed"]
try:
    import kubernetes_validate
except ImportError:
    missing.append("kubernetes-validate is not installed (pip install kubernetes-validate)")

repository = os.path.abspath(__file__ + "/../../../..")
config = os.path.join(repository, "Config")
program = os.path.abspath(sys.argv[1])
variants = ["base", "direct", "cert-manager", "ingress", "gateway", "sidecar"]
faults = []

# Kinds that clusters do not have by themselves, with their required fields.
custom_kinds = {
    "HTTPRoute": ("gateway.networking.k8s.io/v1", ["parentRefs", "hostnames", "rules"]),
    "Certificate": ("cert-manager.io/v1", ["secretName", "dnsNames", "issuerRef"]),
    "PodMonitor": ("monitoring.coreos.com/v1", ["selector", "podMetricsEndpoints"]),
}


def check(holds, what):
    if not holds:
        faults.append(what)


def settings(arguments=(), environment={}):
    """The program's reading of them: the values of all settings."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("AASA_")}
    run = subprocess.run(
        [program, "config", "--json", *arguments], capture_output=True, text=True,
        env={**clean, **environment}, cwd="/")
    check(run.returncode == 0 and run.stderr == "",
          f"{arguments} {environment}: {run.stderr.strip()}")
    return {key: entry["value"] for key, entry in json.loads(run.stdout or "{}").items()}


def known(names):
    return {name for name in names if name in defaults}


def ports_of(value):
    return {int(address.rpartition(":")[2]) for address in value.split(", ")
            if address not in ("", "none")}


defaults = settings(["--config", os.path.join(config, "server.json")])


def render(variant):
    run = subprocess.run(["kubectl", "kustomize", f"{config}/kubernetes/{variant}"],
                         capture_output=True, text=True)
    check(run.returncode == 0, f"{variant}: {run.stderr.strip()}")
    return [document for document in yaml.safe_load_all(run.stdout) if document]


def check_schema(variant, resource):
    kind, name = resource["kind"], resource["metadata"]["name"]
    if kind in custom_kinds:
        version, members = custom_kinds[kind]
        check(resource["apiVersion"] == version, f"{variant}: {kind} {name}: not {version}")
        for member in members:
            check(resource["spec"].get(member), f"{variant}: {kind} {name}: no {member}")
        return
    try:
        kubernetes_validate.validate(resource, kubernetes_validate.latest_version(), strict=True)
    except kubernetes_validate.ValidationError as error:
        check(False, f"{variant}: {kind} {name}: {error.message} at {list(error.path)}")


def check_container(variant, pod, container, volumes):
    """The program's own container: its settings match the rest of the manifest."""
    where = f"{variant}: container {container['name']}"
    variables = {entry["name"]: entry["value"] for entry in container.get("env", [])}
    # The image's configuration file, at its place here.
    values = settings(["--config", os.path.join(config, "server.json")], variables)
    check(container["args"] == ["serve", "--config", "/etc/aasa/server.json"], f"{where}: args")
    ports = {port["name"]: port["containerPort"] for port in container.get("ports", [])}
    for name in ports:
        check(ports[name] in ports_of(values.get(name, "")), f"{where}: nothing listens at {name}")
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        request = container.get(probe, {}).get("httpGet")
        if request:
            check(request["port"] == "admin" and not values["admin"].startswith("127."),
                  f"{where}: {probe} cannot be reached")
            check(request["path"] == ("/livez" if probe == "livenessProbe" else "/readyz"),
                  f"{where}: {probe} asks {request['path']}")
        command = container.get(probe, {}).get("exec", {}).get("command", [])
        if command:
            check(command[0] == "/aasa", f"{where}: the image has no {command[0]}")
            run = subprocess.run([program, *command[1:], "--help"], capture_output=True)
            check(run.returncode == 0, f"{where}: {probe}: there is no command {command[1:]}")
    ready = container["readinessProbe"]
    check(ready.get("failureThreshold", 3) >= 3 and ready.get("timeoutSeconds", 1) >= 2,
          f"{where}: one late answer takes it out of service")
    security = container["securityContext"]
    check(security["readOnlyRootFilesystem"] is True, f"{where}: the root can be written")
    check(security["allowPrivilegeEscalation"] is False, f"{where}: privileges can grow")
    check(security["capabilities"] == {"drop": ["ALL"]}, f"{where}: capabilities")
    user = security.get("runAsUser", pod.get("securityContext", {}).get("runAsUser"))
    dockerfile = open(os.path.join(repository, "Dockerfile")).read()
    check(f"USER {user}:" in dockerfile, f"{where}: user {user} is not the image's")
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    for name, path in mounts.items():
        check(name in volumes, f"{where}: there is no volume {name}")
        if "emptyDir" in volumes.get(name, {}):
            # What survives a restart of the container.
            check(path == values["state"], f"{where}: {path} is not the state folder")
            continue
        kind = "configMap" if "configMap" in volumes.get(name, {}) else "secret"
        # Relative to server.json, whose folder is /etc/aasa in the image.
        folder = "/etc/aasa/domains" if kind == "configMap" else "/etc/aasa/certificates"
        check(path == folder or path.startswith(folder + "/") and kind == "secret",
              f"{where}: {path} is not where it looks")
    if "https" in ports:
        check(any("secret" in volumes[name] for name in mounts), f"{where}: no certificate")
    memory = int(container["resources"]["limits"]["memory"].removesuffix("Mi")) << 20
    check(memory >= (32 << 20) + int(values["maxConnections"] or 0) * 16_000,
          f"{where}: maxConnections do not fit into its memory")
    check(int(values["maxConnections"]) > 0, f"{where}: connections without a limit")
    grace = sum(seconds(values[key]) for key in known(["drainDelay", "gracePeriod"]))
    check(pod.get("terminationGracePeriodSeconds", 30) > grace, f"{where}: killed before its end")
    return ports


def seconds(text):
    number, unit = re.fullmatch(r"(\d+)(ms|s|m|h)", text).groups()
    return int(number) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[unit]


def check_variant(variant):
    resources = render(variant)
    for resource in resources:
        check_schema(variant, resource)
    by_kind = {resource["kind"]: resource for resource in resources}
    pod = by_kind["Deployment"]["spec"]["template"]["spec"]
    labels = by_kind["Deployment"]["spec"]["template"]["metadata"]["labels"]
    volumes = {volume["name"]: volume for volume in pod.get("volumes", [])}
    ports = {}
    for container in pod.get("initContainers", []) + pod["containers"]:
        if container["name"] == "aasa":
            ports = check_container(variant, pod, container, volumes)
    for volume in volumes.values():
        name = volume.get("configMap", {}).get("name")
        maps = [r for r in resources if r["kind"] == "ConfigMap" and r["metadata"]["name"] == name]
        check(not name or maps, f"{variant}: there is no ConfigMap {name}")
    if "Service" in by_kind:
        service = by_kind["Service"]["spec"]
        check(service["selector"].items() <= labels.items(), f"{variant}: Service selects no pod")
        for port in service["ports"]:
            check(port["targetPort"] in ports, f"{variant}: no port {port['targetPort']}")
            check(port["targetPort"] != "admin", f"{variant}: the admin listener is public")
    for kind, path in (("PodDisruptionBudget", "selector"), ("NetworkPolicy", "podSelector")):
        if kind in by_kind:
            selector = by_kind[kind]["spec"].get(path, {}).get("matchLabels")
            check(selector and selector.items() <= labels.items(), f"{variant}: {kind} selects none")
    for rule in by_kind.get("NetworkPolicy", {}).get("spec", {}).get("ingress", []):
        for port in rule["ports"]:
            check(port["port"] in ports, f"{variant}: NetworkPolicy knows no port {port['port']}")
            check(port["port"] != "admin" or rule.get("from"), f"{variant}: admin open to all")
    check_routes(variant, by_kind)
    # The files are beside the kustomization, so that one edits one folder.
    files = os.listdir(f"{config}/kubernetes/{variant}/domains")
    served = [r for r in resources if r["kind"] == "ConfigMap" and r["metadata"]["name"] == "aasa-domains"]
    check(sorted(served[0]["data"]) == sorted(files), f"{variant}: serves other files than domains/")


def check_monitoring():
    """The monitor selects the pod, and a port that it has. MetricsTests checks the names of metrics."""
    monitor = render("monitoring")[0]
    check_schema("monitoring", monitor)
    pod = next(r for r in render("base") if r["kind"] == "Deployment")["spec"]["template"]
    labels = monitor["spec"]["selector"]["matchLabels"]
    check(labels.items() <= pod["metadata"]["labels"].items(), "monitoring: selects no pod")
    ports = [port["name"] for port in pod["spec"]["containers"][0]["ports"]]
    for endpoint in monitor["spec"]["podMetricsEndpoints"]:
        check(endpoint["port"] in ports, f"monitoring: no port {endpoint['port']}")
    json.load(open(f"{config}/monitoring/dashboard.json"))
    if not shutil.which("promtool"):
        print("not tested: promtool is not installed")
        return
    for command in (["check", "rules", "alerts.yaml"], ["test", "rules", "alerts.test.yaml"]):
        run = subprocess.run(["promtool", *command], capture_output=True, text=True,
                             cwd=f"{config}/monitoring")
        check(run.returncode == 0, f"monitoring: {run.stdout}{run.stderr}")


def check_routes(variant, by_kind):
    """Exactly the three paths, to a port that the Service has."""
    wanted = {"/.well-known/apple-app-site-association", "/apple-app-site-association",
              "/.well-known/assetlinks.json"}
    if "Ingress" in by_kind:
        for rule in by_kind["Ingress"]["spec"]["rules"]:
            paths = rule["http"]["paths"]
            check({path["path"] for path in paths} == wanted, f"{variant}: paths")
            check(all(path["pathType"] == "Exact" for path in paths), f"{variant}: pathType")
            for path in paths:
                service = path["backend"]["service"]
                names = [port["name"] for port in by_kind["Service"]["spec"]["ports"]]
                check(service["port"]["name"] in names, f"{variant}: backend")
    if "HTTPRoute" in by_kind:
        for rule in by_kind["HTTPRoute"]["spec"]["rules"]:
            paths = [match["path"] for match in rule["matches"]]
            check({path["value"] for path in paths} == wanted, f"{variant}: paths")
            check(all(path["type"] == "Exact" for path in paths), f"{variant}: type")
            for backend in rule["backendRefs"]:
                numbers = [port["port"] for port in by_kind["Service"]["spec"]["ports"]]
                check(backend["port"] in numbers, f"{variant}: backend")
    if "Certificate" in by_kind:
        names = [v.get("secret", {}).get("secretName")
                 for v in by_kind["Deployment"]["spec"]["template"]["spec"]["volumes"]]
        check(by_kind["Certificate"]["spec"]["secretName"] in names, f"{variant}: secretName")


def check_compose():
    compose = yaml.safe_load(open(f"{config}/compose.yaml"))
    service = compose["services"]["aasa"]
    inner = {int(port.split(":")[1]) for port in service["ports"]}
    check(inner == ports_of(defaults["http"]) | ports_of(defaults["https"]), "compose: ports")
    for volume in service["volumes"]:
        if volume == "state:/var/lib/aasa":
            check("state" in compose["volumes"], "compose: there is no volume state")
            continue
        source, target, mode = volume.split(":")
        check(os.path.exists(os.path.join(config, source)), f"compose: there is no {source}")
        # A file by itself would stay the old one when an editor replaces it.
        check((source, target) == (".", "/etc/aasa"), f"compose: {volume}")
        check(mode == "ro", f"compose: {target} can be written")
    check(compose["networks"]["default"]["enable_ipv6"], "compose: IPv6 clients are one client")
    check(service["read_only"] and service["cap_drop"] == ["ALL"], "compose: rights")
    # Enough for the connections that fit into the memory, and no more than an ordinary engine may set.
    check(service["ulimits"]["nofile"] == 16384, "compose: nofile")
    for name in ("VERSION", "REVISION", "DATE", "SOURCE"):
        check(service["build"]["args"].get(name) == f"${{{name}:-unknown}}",
              f"compose: the build is not told {name}")
    check(seconds(service["stop_grace_period"]) > seconds(defaults["gracePeriod"]), "compose: grace")


def check_launchd():
    job = plistlib.load(open(f"{config}/aasa.plist", "rb"))
    arguments = job["ProgramArguments"]
    check(arguments[1] == "serve", "launchd: command")
    given = [f"{config}/server.json" if a.endswith("server.json") else a for a in arguments[2:]]
    check(job["ExitTimeOut"] > seconds(settings(given)["gracePeriod"]), "launchd: ExitTimeOut")


def check_systemd():
    unit = open(f"{config}/aasa.service").read()
    command = re.search(r"^ExecStart=(.*)$", unit, re.M).group(1).split()
    given = [f"{config}/server.json" if a.endswith("server.json") else a for a in command[2:]]
    check(given == ["--config", f"{config}/server.json"], "systemd: a flag is stronger than the file")
    # The lines that the unit asks for in server.json.
    wanted = dict(re.findall(r'^#   "(https?)": "(.*)",$', unit, re.M))
    values = settings(given + [f"--{name}={address}" for name, address in wanted.items()])
    listening = re.findall(r"^ListenStream=(.*)$", open(f"{config}/aasa.socket").read(), re.M)
    # By these addresses the server knows which socket speaks TLS.
    check(set(listening) == {values["http"], values["https"]}, "systemd: ListenStream")
    stop = re.search(r"^TimeoutStopSec=(.*)$", unit, re.M).group(1)
    check(seconds(stop) > seconds(values["gracePeriod"]), "systemd: TimeoutStopSec")


if not missing:
    for variant in variants:
        check_variant(variant)
    check_monitoring()
check_compose()
check_launchd()
check_systemd()
for fault in faults:
    print("fault:", fault)
if missing:
    print("skipped, but for compose.yaml and the service files:", "; ".join(missing))
    sys.exit(1 if faults else 77)
print("kubernetes:", "all is right" if not faults else f"{len(faults)} faults",
      f"({', '.join(variants)}; schemas of Kubernetes {kubernetes_validate.latest_version()})")
sys.exit(1 if faults else 0)
