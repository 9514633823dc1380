/// The app frameworks for which this program generates the code that receives a link.
package enum CodeSample: String, CaseIterable, Sendable {
  case swiftui, uikit, objc, appkit, maui
  case reactNative = "react-native"
  case flutter, kotlin

  package static let names = allCases.map(\.rawValue).joined(separator: ", ")

  /// A heading that says where the code belongs, and for which version of the framework it was
  /// written.
  var title: String {
    switch self {
    case .swiftui: "SwiftUI, from iOS 14: onOpenURL(perform:) in Apple's documentation"
    case .uikit: "UIKit with scenes, from iOS 13: UISceneDelegate in Apple's documentation"
    case .objc: "UIKit with scenes, from iOS 13: UISceneDelegate in Apple's documentation"
    case .appkit: "AppKit, from macOS 10.15: NSApplicationDelegate in Apple's documentation"
    case .maui: ".NET MAUI 8: Microsoft's pages on universal links and Android app links, 2024"
    case .reactNative: "React Native: Linking.js of 0.67.2, RCTLinkingManager"
    case .flutter: "Flutter 3.27 with go_router: Flutter's recipe for universal links"
    case .kotlin: "androidx.activity 1.5 and later: OnNewIntentProvider in Google's documentation"
    }
  }

  var isForApple: Bool { self != .kotlin }

  var isForAndroid: Bool { ![.swiftui, .uikit, .objc, .appkit].contains(self) }

  var isForMac: Bool { self == .appkit }

  /// The code: the text of each file, with the file's name.
  package var files: [(name: String, text: String)] {
    switch self {
    case .swiftui: [("ShopApp.swift", Self.swiftUICode)]
    case .uikit: [("SceneDelegate.swift", Self.uiKitCode)]
    case .objc: [("SceneDelegate.m", Self.objectiveCCode)]
    case .appkit: [("AppDelegate.swift", Self.appKitCode)]
    case .maui: [("MauiProgram.cs", Self.mauiCode)]
    case .reactNative: [("useLinks.js", Self.reactCode), ("AppDelegate.swift", Self.reactDelegate)]
    case .flutter: [("main.dart", Self.flutterCode)]
    case .kotlin: [("MainActivity.kt", Self.kotlinCode)]
    }
  }

  private static let swiftUICode = """
    import SwiftUI

    @main
    struct ShopApp: App {
      var body: some Scene {
        WindowGroup {
          // Also called for a link that starts the app.
          ContentView().onOpenURL { url in show(url) }
        }
      }

      private func show(_ url: URL) {
        // Show the page for url.path. Ignore unknown paths, because anybody can write a link.
      }
    }
    """

  private static let uiKitCode = """
    import UIKit

    final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
      var window: UIWindow?

      // A link that starts the app arrives only here.
      func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
      ) {
        connectionOptions.userActivities.forEach(receive)
      }

      // A link while the app runs.
      func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        receive(userActivity)
      }

      private func receive(_ activity: NSUserActivity) {
        guard activity.activityType == NSUserActivityTypeBrowsingWeb,
          let url = activity.webpageURL
        else { return }
        // Show the page for url.path. Ignore unknown paths, because anybody can write a link.
      }
    }
    """

  private static let objectiveCCode = """
    #import "SceneDelegate.h"

    @implementation SceneDelegate

    // A link that starts the app arrives only here.
    - (void)scene:(UIScene *)scene
        willConnectToSession:(UISceneSession *)session
                     options:(UISceneConnectionOptions *)connectionOptions {
      for (NSUserActivity *activity in connectionOptions.userActivities) [self receive:activity];
    }

    // A link while the app runs.
    - (void)scene:(UIScene *)scene continueUserActivity:(NSUserActivity *)userActivity {
      [self receive:userActivity];
    }

    - (void)receive:(NSUserActivity *)activity {
      NSURL *url = activity.webpageURL;
      if (![activity.activityType isEqualToString:NSUserActivityTypeBrowsingWeb] || !url) return;
      // Show the page for url.path. Ignore unknown paths, because anybody can write a link.
    }

    @end
    """

  private static let appKitCode = """
    import AppKit

    final class AppDelegate: NSObject, NSApplicationDelegate {
      // A link that starts the app also arrives here.
      func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
      ) -> Bool {
        guard userActivity.activityType == NSUserActivityTypeBrowsingWeb,
          let url = userActivity.webpageURL
        else { return false }
        // Show the page for url.path. Ignore unknown paths, because anybody can write a link.
        return true
      }
    }
    """

  private static let mauiCode = """
    // Insert this before builder.Build() in CreateMauiApp. The file needs the line
    // "using Microsoft.Maui.LifecycleEvents;".
    builder.ConfigureLifecycleEvents(events =>
    {
    #if IOS || MACCATALYST
        events.AddiOS(ios => ios
            // First for a link that starts the app, then for a link while the app runs.
            .FinishedLaunching((app, options) => Receive(app.UserActivity))
            .ContinueUserActivity((app, activity, handler) => Receive(activity))
            // The same two events for apps with scenes.
            .SceneWillConnect((scene, session, options) =>
                Receive(options.UserActivities.ToArray().FirstOrDefault()))
            .SceneContinueUserActivity((scene, activity) => Receive(activity)));
    #elif ANDROID
        events.AddAndroid(android => android
            .OnCreate((activity, bundle) => Receive(activity.Intent))
            .OnNewIntent((activity, intent) => Receive(intent)));
    #endif
    });

    #if IOS || MACCATALYST
    static bool Receive(Foundation.NSUserActivity? activity)
    {
        if (activity?.ActivityType != Foundation.NSUserActivityType.BrowsingWeb) return false;
        return Show(activity.WebPageUrl?.ToString());
    }
    #elif ANDROID
    static void Receive(Android.Content.Intent? intent)
    {
        if (intent?.Action == Android.Content.Intent.ActionView) Show(intent.DataString);
    }
    #endif

    // App.OnAppLinkRequestReceived(Uri) must show the page. Ignore unknown paths there.
    static bool Show(string? link)
    {
        if (!Uri.TryCreate(link, UriKind.Absolute, out var uri)) return false;
        Application.Current?.SendOnAppLinkRequestReceived(uri);
        return true;
    }
    """

  private static let reactCode = """
    import { useEffect } from 'react';
    import { Linking } from 'react-native';

    // Call useLinks once, in the root component. The function show must open the page.
    export function useLinks(show) {
      useEffect(() => {
        // A link that starts the app.
        Linking.getInitialURL().then((url) => { if (url) show(url); });
        // A link while the app runs.
        const subscription = Linking.addEventListener('url', ({ url }) => show(url));
        return () => subscription.remove();
      }, [show]);
    }
    """

  private static let reactDelegate = """
    import React
    import UIKit

    // Without this extension, no link reaches JavaScript on iOS.
    extension AppDelegate {
      func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
      ) -> Bool {
        RCTLinkingManager.application(
          application, continue: userActivity, restorationHandler: restorationHandler)
      }
    }
    """

  private static let flutterCode = """
    import 'package:flutter/material.dart';
    import 'package:go_router/go_router.dart';

    // The router gets the link that starts the app and each link that arrives while the app is
    // running. If your Flutter version is older than 3.27, set FlutterDeepLinkingEnabled to YES in
    // Info.plist. If you use the package app_links, set it to NO.
    final router = GoRouter(
      routes: [
        GoRoute(path: '/', builder: (context, state) => const HomePage()),
        // GoRoute(path: '/buy/:id', builder: (context, state) => …),
      ],
      errorBuilder: (context, state) => const HomePage(),
    );

    void main() => runApp(MaterialApp.router(routerConfig: router));
    """

  private static let kotlinCode = """
    import android.content.Intent
    import android.os.Bundle
    import androidx.activity.ComponentActivity

    class MainActivity : ComponentActivity() {
      override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        // A link while the app runs, with android:launchMode="singleTop".
        addOnNewIntentListener { receive(it) }
        // A link that starts the app; a rotation must not open it again.
        if (savedInstanceState == null) receive(intent)
      }

      private fun receive(intent: Intent) {
        if (intent.action != Intent.ACTION_VIEW) return
        val link = intent.data ?: return
        // Show the page for link.path. Ignore unknown paths, because anybody can write a link.
      }
    }
    """
}
